/** Glyphs of moves: PGN numbers them (NAGs), people write signs. */

/** Signs that judge a move; a move has one of them at most. */
export const JUDGEMENTS = [
  [1, "!", "good move"],
  [2, "?", "mistake"],
  [3, "!!", "brilliant move"],
  [4, "??", "blunder"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
];
const OTHERS = { 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 32: "⟳", 33: "⟳", 36: "→", 37: "→", 40: "↑", 41: "↑", 132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕", 140: "∆", 146: "N" };
const SIGNS = { ...OTHERS, ...Object.fromEntries(JUDGEMENTS.map(([nag, sign]) => [nag, sign])) };

/** The signs of some NAGs, as a list of moves shows them behind a move. */
export function signs(nags) {
  return (nags ?? []).map((nag) => SIGNS[nag] ?? `$${nag}`).join(" ");
}
