/** A log file of bounded size, for the harness keeps a plugin's own log in memory only. Never holds a key. */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const LARGEST = 256 * 1024;
const LONGEST = 2000;
const SHORTEST_SECRET = 6;

export class Log {
  #file;
  #largest;
  #size = undefined;
  #secrets = new Set();

  /** At most `largest` bytes, and as many again in the file before it, `<file>.1`. */
  constructor(file, largest = LARGEST) {
    this.#file = file;
    this.#largest = largest;
  }

  /** From now on none of `values` is written. */
  hide(values) {
    for (const value of values) if (value.length >= SHORTEST_SECRET) this.#secrets.add(value);
  }

  /** `text` without the hidden values. */
  clean(text) {
    let shown = String(text);
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '***');
    return shown;
  }

  /** One line. A disk that refuses it costs nothing else. */
  write(text) {
    const line = `${new Date().toISOString()} ${this.clean(text).replace(/[\r\n]+/g, ' ⏎ ').slice(0, LONGEST)}\n`;
    try {
      this.#makeRoom(Buffer.byteLength(line));
      appendFileSync(this.#file, line, { mode: 0o600 });
      this.#size += Buffer.byteLength(line);
    } catch {
      this.#size = undefined; // a full or read-only disk
    }
  }

  #makeRoom(bytes) {
    if (this.#size === undefined) {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#size = sizeOf(this.#file);
    }
    if (this.#size > 0 && this.#size + bytes > this.#largest) {
      renameSync(this.#file, `${this.#file}.1`);
      this.#size = 0;
    }
  }
}

function sizeOf(file) {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
