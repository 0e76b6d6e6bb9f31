/**
 * The game on the page: its state on the server, the position that is shown, and all requests of the visitor.
 * The parts of the page listen to it and draw; only this speaks to the server.
 *
 * @typedef {{name: string, title: string, about: string, sides: string[], world: boolean,
 *   evaluators: string[], evaluator: string, levels: {number: number, name: string, about: string}[],
 *   players: {name: string, about: string, side: number|null}[],
 *   starts: {name: string, position: string}[], formats: string[], openings: boolean, endgames: boolean, own: boolean}} GameInfo
 * @typedef {{n: number, parent: number|null, said: string, number: number, turn: number,
 *   side: number|null, move: number, rank?: number, comment?: string, before?: string, nags?: number[],
 *   clocks?: number[], mark?: string|null, chance?: number|null}} Node
 */

import { Refusal } from "./connection.js";

const MAX_VIEWS = 400; // positions that need not be asked for again

/**
 * Events: `change` ({phases}: how to get to the view, or null; from: the view where they begin), `opened`, `games`,
 * `analysis`, `thinking`, `preparing`, `review`, `hint`, `refused` ({words}), `moved` ({node}), `step`.
 */
export class Session extends EventTarget {
  /** @type {GameInfo[]} */ games = [];
  /** What one analysis may have of the server's machine. */ limits = { threads: 1, hash: [16] };
  /** @type {GameInfo|null} */ info = null;
  id = null;
  /** The key of the play link by which the game was opened. @type {string|null} */ key = null;
  /** Whether the game is the visitor's own; who has its link only watches. */ owner = true;
  /** The sides for which this page may move. @type {number[]} */ sides = [0, 1];
  state = null;
  view = null;
  node = 0;
  analysis = null;
  hintShown = null;
  /** What a review said of each node. @type {Record<string, any>} */ verdicts = {};
  /** Takes moves in place of the game while mistakes are tried again. @type {((move: string) => Promise<boolean>)|null} */
  taker = null;
  #views = new Map();
  #lookCount = 0;
  #goal = null; // the node that was asked for last, while the server has not answered yet
  #openCount = 0;
  #previews = new Map();
  #analysing = null;
  /** @type {Map<number, Node>} */ #nodes = new Map();
  /** The moves from each node, the one that continues its line first. @type {Map<number|null, Node[]>} */
  #children = new Map();
  #walked = []; // the line that was gone through last

  constructor(connection, visitor) {
    super();
    this.connection = connection;
    this.visitor = visitor;
    connection.addEventListener("tell:state", (event) => this.#receive(event.detail));
    for (const news of ["thinking", "preparing"]) connection.addEventListener(
      `tell:${news}`,
      (event) => this.#forward(news, event.detail),
    );
    connection.addEventListener("tell:analysis", (event) => {
      if (event.detail.game !== this.id) return;
      this.analysis = event.detail;
      this.#forward("analysis", event.detail);
    });
    connection.addEventListener("tell:review", (event) => {
      if (event.detail.game !== this.id) return;
      Object.assign(this.verdicts, event.detail.nodes);
      this.#forward("review", event.detail);
    });
    connection.addEventListener("tell:error", (event) => this.#emit("refused", { words: event.detail.words }));
  }

  #emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #forward(name, detail) {
    if (!detail.game || detail.game === this.id || detail.game === this.info?.name) this.#emit(name, detail);
  }

  /** Ask the server; null if it refuses, and the visitor is told why. */
  async request(what, given = {}) {
    try {
      return await this.connection.ask(what, given);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#emit("refused", { words: error.message });
      return null;
    }
  }

  /** Introduce the visitor; gives the games that are under way. */
  async hello() {
    const answer = await this.connection.ask("hello", { visitor: this.visitor });
    this.version = answer.version;
    this.games = answer.games;
    this.limits = answer.analysis;
    this.#emit("games");
    for (const words of answer.notes ?? []) this.#emit("refused", { words });
    return answer.running;
  }

  /** Put a game on the page; with the key of a play link its side can be played. */
  async open(id, key = null) {
    const again = id === this.id;
    const mine = ++this.#openCount;
    const answer = await this.request("open", key ? { game: id, key } : { game: id });
    if (answer && mine !== this.#openCount) { // another game is wanted by now
      if (id !== this.id) this.connection.ask("close", { game: id }).catch(() => null);
      return true;
    }
    if (answer) this.#switchTo(id, { key, ...answer }); // its state is on the way
    if (answer && again) this.#restartAnalysis(); // the server has stopped it when the connection was lost
    return Boolean(answer);
  }

  /** Stay with the game on the page, though another one was asked for: the visitor is back before it came. */
  stay() {
    this.#openCount++;
  }

  /** Begin a new game and put it on the page. */
  async create(given) {
    this.stay();
    const answer = await this.request("new", given);
    if (answer) this.#switchTo(answer.game); // it is open already, and its state is on the way
    return Boolean(answer);
  }

  #switchTo(id, { key = null, owner = true, sides = [0, 1] } = {}) {
    Object.assign(this, { key, owner, sides });
    if (this.id === id) return;
    if (this.id) this.connection.ask("close", { game: this.id }).catch(() => null);
    this.id = id;
    this.#lookCount++; // what was asked about the game before does not come on the board any more
    this.#goal = null;
    this.state = this.view = this.analysis = this.hintShown = null;
    this.verdicts = {};
    this.#walked = [];
    this.#index([]);
    this.#views.clear();
    this.#previews.clear();
  }

  #receive(state) {
    if (state.game !== this.id) return;
    const before = this.state;
    const shown = this.view ? this.node : null;
    const following = !before || this.node === before.tip;
    const parents = this.path(this.node);
    this.state = state;
    this.#index(state.nodes);
    if (!following && !this.#nodes.has(this.node)) {
      const left = parents.findLast((n) => this.#nodes.has(n)) ?? 0; // what was on the board is deleted
      this.#emit("change", { phases: null });
      this.look(left);
      return;
    }
    this.info = this.games.find((one) => one.name === state.name) ?? this.info;
    for (const one of state.nodes) if (one.mark || one.chance != null) this.verdicts[one.n] ??= {
      mark: one.mark,
      chance: one.chance,
    };
    if (!before) this.#emit("opened");
    if (following) {
      const forward = before && this.at(state.tip)?.parent === shown && state.tip !== shown;
      const chosen = this.view?.chosen?.length ?? 0;
      const partial = before && state.tip === shown && state.view.chosen?.length === chosen + 1;
      if (state.tip !== shown || !before) this.hintShown = null;
      if (!state.view.chosen?.length) this.#views.set(state.tip, state.view);
      const from = forward ? this.#views.get(shown) : null;
      this.node = state.tip;
      this.view = state.view;
      this.#emit("change", { phases: forward || partial ? state.view.last?.phases : null, from });
    } else this.#emit("change", { phases: null });
    if (before && state.nodes.length > before.nodes.length) this.#emit("moved", { node: this.at(state.tip) });
    if (!before || before.tip !== state.tip) this.#restartAnalysis();
  }

  #index(nodes) {
    this.#nodes = new Map(nodes.map((node) => [node.n, node]));
    this.#children = new Map();
    for (const node of nodes) {
      const beside = this.#children.get(node.parent);
      if (beside) beside.push(node);
      else this.#children.set(node.parent, [node]);
    }
    for (const beside of this.#children.values()) beside.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0) || one.n - other.n);
  }

  /** The node of that number. @returns {Node|undefined} */
  at(n) {
    return this.#nodes.get(n);
  }

  /** The moves that were played or tried at a node; the first continues its line. @returns {Node[]} */
  children(n) {
    return this.#children.get(n) ?? [];
  }

  /** The numbers from the beginning to a node. */
  path(n) {
    const way = [];
    for (let node = this.at(n); node; node = this.at(node.parent)) way.push(node.n);
    return way.reverse();
  }

  #toEnd(way) {
    for (let next = this.children(way.at(-1))[0]; next; next = this.children(next.n)[0]) way.push(next.n);
    return way;
  }

  /** The main line: the game as it was played. */
  mainLine() {
    return this.#toEnd([0]);
  }

  /** The line through the position where the game goes on. */
  gameLine() {
    return this.#toEnd(this.path(this.state.tip));
  }

  /** The line on show: through the position on the board. A variation that was left by stepping back stays it. */
  line() {
    const at = this.#walked.indexOf(this.node);
    const known = at > 0 && this.#walked.every((n, i) => !i || this.at(n)?.parent === this.#walked[i - 1]);
    this.#walked = this.#toEnd(known ? this.#walked : this.path(this.node));
    return this.#walked;
  }

  /** Whether the position on the board is not in the main line. */
  get inVariation() {
    return this.path(this.node).some((n) => n && this.children(this.at(n).parent)[0].n !== n);
  }

  /** Look at a position of the game without changing it. */
  async look(n) {
    if (!this.state || n === undefined || n === null) return;
    const asked = ++this.#lookCount;
    const { id } = this;
    this.#goal = null;
    if (n === this.node && this.view) return;
    let view = n === this.state.tip ? this.state.view : this.#views.get(n);
    if (!view) {
      this.#goal = n;
      view = (await this.request("look", { game: id, node: n }))?.view;
      if (asked === this.#lookCount) this.#goal = null;
      if (!view || id !== this.id) return;
      if (this.#views.size > MAX_VIEWS) this.#views.clear();
      this.#views.set(n, view);
    }
    if (asked !== this.#lookCount) return;
    const forward = this.at(n)?.parent === this.node;
    this.node = n;
    this.view = view;
    this.hintShown = null;
    this.#emit("change", { phases: forward ? view.last?.phases : null });
    this.#restartAnalysis();
  }

  /** The node on the board, or the one that comes there as soon as the server has answered. */
  get goal() {
    return this.#goal ?? this.node;
  }

  /** Look `by` plies further on the line on show, or back; steps that are still on the way count. */
  step(by) {
    if (!this.state) return null;
    this.#emit("step");
    const line = this.line();
    const from = line.includes(this.goal) ? this.goal : this.node;
    const at = Math.max(0, Math.min(line.length - 1, line.indexOf(from) + by));
    return this.look(line[at]);
  }

  /** Play a move from the position looked at; beside the game it is a variation. */
  async play(move) {
    if (this.taker && (await this.taker(move))) return true;
    const { id, node: from } = this;
    const answer = await this.request("play", { game: id, node: from, move });
    if (id !== this.id) return true; // another game is on the page by now
    if (!answer) {
      this.#emit("change", { phases: null });
      return false;
    }
    if (!this.at(answer.node)) await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
    if (id === this.id && this.node === from && answer.node !== from) await this.look(answer.node);
    return true;
  }

  /** The phases of a move from the position looked at, asked for once. */
  async previewMove(move) {
    const key = `${this.node} ${this.view?.chosen?.join(" ") ?? ""} ${move}`;
    if (!this.#previews.has(key)) {
      if (this.#previews.size > 2000) this.#previews.clear();
      const asked = this.connection.ask("preview", { game: this.id, node: this.node, move }).then((answer) => answer.phases);
      this.#previews.set(key, asked.catch(() => []));
    }
    return this.#previews.get(key);
  }

  /** Ask for a hint and show it. */
  async hint() {
    const { id, node } = this;
    const answer = await this.request("hint", { game: id, node });
    if (!answer || id !== this.id || node !== this.node) return;
    this.hintShown = { node, ...answer };
    this.#emit("hint", answer);
  }

  /** Ask what the other side threatens and show it, or take it away. */
  async threat() {
    if (this.hintShown?.node === this.node && this.hintShown.threat) {
      this.hintShown = null;
      this.#emit("hint", { words: "" });
      return;
    }
    const { id, node } = this;
    const answer = await this.request("threat", { game: id, node });
    if (!answer || id !== this.id || node !== this.node) return;
    this.hintShown = { node, threat: true, ...answer };
    this.#emit("hint", answer);
  }

  /** A request about the game on the page that needs nothing else. */
  requestForGame(what, given = {}) {
    return this.request(what, { game: this.id, ...given });
  }

  /** Analyse the position on the board from now on, or stop (null). */
  analyse(options) {
    const before = this.#analysing;
    this.#analysing = options;
    this.analysis = null;
    if (options) this.#restartAnalysis();
    else if (before && this.id) this.connection.ask("quiet", { game: this.id }).catch(() => null);
    this.#emit("analysis", null);
  }

  get analysing() {
    return this.#analysing;
  }

  #restartAnalysis() {
    if (!this.#analysing || !this.state || !this.connection.connected) return;
    this.analysis = null;
    this.#emit("analysis", null);
    this.request("analyse", { game: this.id, node: this.node, ...this.#analysing });
  }

  /** The address of the game on the page, behind its `#`. */
  get address() {
    return ["#game", this.id, this.key].filter(Boolean).join("/");
  }

  /** Whether a person may move in the position looked at. */
  get playable() {
    if (!this.sides.includes(this.view?.turn) || (!this.owner && this.node !== this.state?.tip)) return false;
    return Boolean(this.view?.player && !this.view.outcome && this.view.moves.length && this.connection.connected);
  }
}
