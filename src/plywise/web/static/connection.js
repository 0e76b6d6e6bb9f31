/** The connection to the server: requests and answers, news, and reconnecting. */

const FIRST_WAIT = 300; // ms before the first try to reconnect; doubled each time
const MAX_WAIT = 5000;

/** The server refuses a request; the message says why. */
export class Refusal extends Error {}

/**
 * One WebSocket that reconnects by itself. Events: `open` (say hello now), `lost` ({wait}: ms to the next try),
 * and one event for each kind of news, named `tell:NAME`, whose detail is the message.
 */
export class Connection extends EventTarget {
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #wait = FIRST_WAIT;
  #timer = 0;

  constructor(url) {
    super();
    this.url = url;
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.connected) this.connect();
    });
  }

  get connected() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect now, unless connected or about to be. */
  connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.dispatchEvent(new Event("open"));
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#reconnectLater(socket));
  }

  /**
   * Ask the server to do something.
   * @param {string} what the name of the request
   * @param {Record<string, any>} [given] its fields
   * @returns {Promise<Record<string, any>>} the answer; rejected with a Refusal that says why not
   */
  ask(what, given = {}) {
    if (!this.connected) return Promise.reject(new Refusal("Connection lost. Try again when it is back."));
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, do: what, ...given }));
    });
  }

  #receive(message) {
    if (message.tell) {
      this.dispatchEvent(new CustomEvent(`tell:${message.tell}`, { detail: message }));
      return;
    }
    const waiting = this.#waiting.get(message.re);
    if (!waiting) return;
    this.#waiting.delete(message.re);
    if (message.error) waiting.reject(new Refusal(message.error));
    else waiting.resolve(message);
  }

  #reconnectLater(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) reject(new Refusal("Connection lost before the server answered."));
    this.#waiting.clear();
    const wait = this.#wait;
    this.#wait = Math.min(MAX_WAIT, wait * 2);
    this.#timer = setTimeout(() => this.connect(), wait);
    this.dispatchEvent(new CustomEvent("lost", { detail: { wait } }));
  }
}
