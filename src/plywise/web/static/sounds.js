/** Sounds made here, without files: a tap for a move, a lower one for a capture, a chord at the end. */

let audio = null;

function tone(frequency, at, long, volume = 0.12, type = "triangle") {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, audio.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + long);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(audio.currentTime + at);
  oscillator.stop(audio.currentTime + at + long);
}

/** Play one of the sounds: `move`, `capture`, `end`, `low`. */
export function play(kind) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  if (kind === "move") tone(520, 0, 0.09);
  else if (kind === "capture") {
    tone(300, 0, 0.1);
    tone(210, 0.04, 0.12);
  } else if (kind === "low") tone(880, 0, 0.12, 0.08, "square");
  else for (const [i, frequency] of [392, 494, 587].entries()) tone(frequency, i * 0.09, 0.5);
}

/** Let moves of the game on the page sound while `wanted()` says so. */
export function mountSounds(session, wanted) {
  session.addEventListener("moved", () => {
    if (!wanted()) return;
    const { state } = session;
    const effects = (state.view.last?.phases ?? []).flatMap((phase) => phase.effects);
    if (state.outcome) play("end");
    else play(effects.some((effect) => effect.kind === "capture" || effect.kind === "damage") ? "capture" : "move");
  });
  let warned = null;
  setInterval(() => {
    const { state } = session;
    const { clock } = state ?? {};
    if (!wanted() || !clock || clock.running === null || clock.left[clock.running] > 20 || warned === state.tip) return;
    warned = state.tip;
    play("low");
  }, 1000);
}
