/** The score between the two players of a game, over all games that they have finished. */

/** Who plays a side of a saved game: a name, if it has one, else the kind of player. */
function playerOf(game, side, info) {
  const name = game.tags?.[info.sides[side].charAt(0).toUpperCase() + info.sides[side].slice(1)];
  return name && !/^[?.]+$/.test(name) ? name : JSON.stringify(game.seats[side]);
}

/**
 * Wins of the player of each side and draws, whichever side the two had; players who are alike are told apart by side.
 * @returns {{won: number[], drawn: number}}
 */
export function countScore(games, now, info) {
  const players = [0, 1].map((side) => playerOf(now, side, info));
  const found = { won: [0, 0], drawn: 0 };
  for (const game of games) {
    if (game.game !== info.name || !game.outcome || game.binned) continue;
    const here = [0, 1].map((side) => playerOf(game, side, info));
    const straight = here[0] === players[0] && here[1] === players[1];
    const swapped = here[0] === players[1] && here[1] === players[0];
    if (!straight && !swapped) continue;
    const { winner } = game.outcome;
    if (winner === null || winner === undefined) found.drawn++;
    else found.won[straight ? winner : 1 - winner]++;
  }
  return found;
}

/** The score in words, from the side of the board that is nearer; empty for a first game. */
export function scoreWords({ won, drawn }, names) {
  if (won[0] + won[1] + drawn < 2) return "";
  const draws = drawn ? `, ${drawn} ${drawn === 1 ? "draw" : "draws"}` : "";
  return `Score: ${names[0]} ${won[0]}, ${names[1]} ${won[1]}${draws}`;
}
