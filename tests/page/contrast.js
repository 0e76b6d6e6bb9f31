// The contrast of every visible text with what lies behind it, by the formula of WCAG 2.
() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (colour, ground) => {
    canvas.globalAlpha = 1;
    canvas.fillStyle = `rgb(${ground.join(" ")})`;
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (made) => {
    const way = [];
    for (let at = made; at; at = at.parentElement) way.unshift(at);
    return way.reduce((ground, at) => over(getComputedStyle(at).backgroundColor, ground), [255, 255, 255]);
  };
  const bad = [];
  for (const made of document.querySelectorAll("body *")) {
    const own = [...made.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const shown = made.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    if (!own || !shown || made.closest(":disabled, .unseen, .skip, .pieces, .ghosts, svg")) continue;
    const ground = behind(made);
    const a = light(over(getComputedStyle(made).color, ground));
    const b = light(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const words = made.textContent.slice(0, 30);
    if (ratio < 4.5) bad.push(`${made.tagName} ${made.className} ${words}: ${ratio.toFixed(2)}`);
  }
  return bad;
}
