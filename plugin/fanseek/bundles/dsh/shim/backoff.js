/** How long to wait before a worker is started again after it died. Milliseconds. */

const PAUSES = [0, 250, 1000, 4000, 15_000, 30_000];

/** A worker that dies this often in a row without an answer in between is in a loop: calls fail at once meanwhile. */
const LOOP = 3;

export class Backoff {
  #deaths = 0;
  #until = 0;
  #now;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  died() {
    this.#deaths += 1;
    this.#until = this.#now() + PAUSES[Math.min(this.#deaths, PAUSES.length) - 1];
  }

  answered() {
    this.#deaths = 0;
    this.#until = 0;
  }

  /** What is left of the pause. */
  get left() {
    return Math.max(0, Math.ceil(this.#until - this.#now()));
  }

  get looping() {
    return this.#deaths >= LOOP && this.left > 0;
  }
}
