/** Lines out of a stream of bytes, none longer than a limit. */

export class Lines {
  #limit;
  #parts = [];
  #length = 0;

  constructor(limit) {
    this.#limit = limit;
  }

  /** The lines that `chunk` completes. Throws RangeError where one grows beyond the limit. */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(Buffer.concat(this.#parts, this.#length).toString('utf8'));
      this.#parts = [];
      this.#length = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part) {
    this.#length += part.length;
    if (this.#length > this.#limit) throw new RangeError(`a line is longer than ${this.#limit} bytes`);
    if (part.length) this.#parts.push(part);
  }
}
