// A conversation with a real server in which each answer is counted: one to each request, none to anything else. What
// the server sends of itself is held against the model, too, and its requests are answered as the model says.
'use strict';

const assert = require('node:assert/strict');
const { RawClient, until } = require('../transcripts/editor');
const { brief, mismatch } = require('./shapes');
const { Maker, textOf } = require('./values');

/** Of messages that are no JSON, and of those that are neither requests nor notifications. */
const NO_MESSAGE = [-32700, -32600];

class Session {
  /** `samples` as in values.js. */
  constructor(t, model, samples) {
    this.client = new RawClient(t);
    this.methods = new Map(model.map((one) => [one.method, one]));
    this.maker = new Maker(samples);
    this.asked = new Map();
    this.answers = new Map();
    this.problems = [];
    this.unasked = undefined;
    this.seen = 0;
    this.lastId = 1000;
    this.mayRefuse = 0;
  }

  /** The server's exit status, once it has left and all that it sent is here. */
  async exited() {
    const { child } = this.client;
    const status = await child.exited;
    if (!child.stdout.readableEnded) await new Promise((resolve) => child.stdout.once('end', resolve));
    return status;
  }

  /** Sends a request under an id of its own, and returns the id. */
  send(method, params, what = '') {
    const id = ++this.lastId;
    this.sendAs(id, method, params, what);
    return id;
  }

  sendAs(id, method, params, what = '') {
    this.asked.set(id, `${method} (${what})`);
    this.client.sendContent(textOf({ id, method, params }));
  }

  /** Sends what is no message and may be answered by an error without an id, or by nothing. */
  sendBroken(content) {
    this.mayRefuse++;
    this.client.sendContent(content);
  }

  /**
   * Sends a notification. One with params that are neither object nor array is no message of JSON-RPC, which may be
   * answered by an error without an id (JSON-RPC 2.0, section 5.1).
   */
  notify(method, params, isMalformed = false) {
    this.mayRefuse += isMalformed ? 1 : 0;
    this.client.sendContent(textOf({ method, params }));
  }

  /** The answer to the request with this id, once it is there. */
  async answer(id) {
    await this.until(() => this.answers.has(id), `the answer to ${this.asked.get(id)}`);
    return this.answers.get(id);
  }

  request(method, params, what) {
    return this.answer(this.send(method, params, what));
  }

  /** Waits until each request has its answer. */
  settle() {
    const missing = () => [...this.asked].find(([id]) => !this.answers.has(id));
    return this.until(
      () => this.answers.size >= this.asked.size,
      () => `the answer to ${missing()?.[1]}`,
    );
  }

  until(probe, what) {
    const look = () => {
      this.take();
      return probe();
    };
    const log = () => `; the end of the server's log:\n${this.client.child.log.slice(-2000)}`;
    return until(look, { toString: typeof what === 'function' ? what : () => what }, this.client.changes, log);
  }

  take() {
    const { received } = this.client;
    for (; this.seen < received.length; this.seen++) this.takeMessage(received[this.seen]);
  }

  takeMessage(message) {
    if (message.jsonrpc !== '2.0') this.problems.push(`a message of the server without its version: ${brief(message)}`);
    if (message.method !== undefined) return this.takeCall(message);
    if (message.id === null && NO_MESSAGE.includes(message.error?.code) && this.mayRefuse > 0) this.mayRefuse--;
    else if (!this.asked.has(message.id)) this.takeUnasked(message);
    else if (this.answers.has(message.id)) this.problems.push(`a second answer to ${this.asked.get(message.id)}`);
    else this.answers.set(message.id, message);
    if ('result' in message === 'error' in message)
      this.problems.push(`neither a result nor an error, or both: ${brief(message)}`);
  }

  takeUnasked(message) {
    if (this.unasked) this.unasked.push(message);
    else this.problems.push(`an answer to nothing: ${brief(message)}`);
  }

  /** Sends what may be answered, under whatever id, and returns these answers. */
  async sendOdd(messages) {
    this.unasked = [];
    for (const message of messages) this.client.sendContent(textOf(message));
    await this.request('textDocument/hover', {}, 'after odd messages');
    const answers = this.unasked;
    this.unasked = undefined;
    return answers;
  }

  /** What begins with mca/ is the server's own (docs/commands.md). */
  takeCall({ method, params, id }) {
    if (method.startsWith('mca/')) return;
    const known = this.methods.get(method);
    const kind = id === undefined ? 'notification' : 'request';
    if (known?.kind !== kind || known.direction === 'clientToServer')
      this.problems.push(`the server sends the ${kind} ${method}`);
    const wrong = known?.params ? mismatch(known.params, params, 'params') : '';
    if (wrong) this.problems.push(`the server's ${method}: ${wrong}`);
    if (id !== undefined) this.respond({ id, method });
  }

  /** Answers a request of the server. */
  respond({ id, method }) {
    this.client.send({ id, result: this.maker.minimal(this.methods.get(method).result) });
  }

  /** Takes down what was wrong with something, if anything was. */
  note(what, wrong) {
    if (wrong) this.problems.push(`${what}: ${wrong}`);
  }

  /** Fails with all that was wrong so far. */
  check() {
    this.take();
    const all = this.problems;
    const shown = all.slice(0, 40).join('\n');
    assert.equal(all.length, 0, `${all.length} deviations:\n${shown}${all.length > 40 ? '\n…' : ''}`);
  }

  /** The server is to leave with this status. */
  async leave(status) {
    this.notify('exit');
    assert.equal(await this.exited(), status);
    this.check();
  }
}

module.exports = { Session };
