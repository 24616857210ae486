// Which answer LSP 3.17 asks for, by the state of the server and by what is wrong with the params. Where it leaves a
// choice, each is accepted; the comments say where and why.
'use strict';

const { brief, mismatch } = require('./shapes');

const CODES = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  notInitialized: -32002,
};

/** What typeHierarchy/* needs, which the package does not say as it does for the like of callHierarchy/*. */
const CAPABILITIES = {
  'typeHierarchy/supertypes': 'typeHierarchyProvider',
  'typeHierarchy/subtypes': 'typeHierarchyProvider',
};

/** Those of every server. */
const ALWAYS = ['initialize', 'shutdown'];

/** True if the capabilities of the server offer this method of the client. */
function isOffered(method, capabilities) {
  if (ALWAYS.includes(method.method)) return true;
  const path = method.capability ?? CAPABILITIES[method.method];
  if (method.direction === 'serverToClient' || path === undefined) return false;
  return Boolean(path.split('.').reduce((value, name) => value?.[name], capabilities));
}

/** Params that are neither object nor array make a message that is no request, whatever the state. */
function codesFor(demand, code) {
  return demand === 'malformed' ? [CODES.invalidRequest, code] : [code];
}

/**
 * What is wrong with the answer to one case of a method, or an empty text. `state` is 'uninitialized', 'running' or
 * 'shut down', and `capabilities` what the server offers.
 *
 * Between the result of initialize and the notification initialized, LSP 3.17 forbids a client to send anything and
 * asks nothing of a server that gets it; this one answers as it does later.
 */
function wrongAnswer(method, { demand }, answer, state, capabilities) {
  if (state === 'uninitialized') return wrongCode(answer, codesFor(demand, CODES.notInitialized));
  if (state === 'shut down' || method.method === 'initialize')
    return wrongCode(answer, codesFor(demand, CODES.invalidRequest));
  if (!isOffered(method, capabilities)) return wrongCode(answer, codesFor(demand, CODES.methodNotFound));
  if (demand === 'malformed' || demand === 'refuse') return wrongCode(answer, codesFor(demand, CODES.invalidParams));
  // An optional member of a wrong type is wrong, but this server answers as if it were absent: a client that sends
  // something odd there still gets hints (lsp/protocol/reading.h). Either will do.
  if (demand === 'tolerate' && answer.error?.code === CODES.invalidParams) return '';
  if (answer.error) return `answered with the error ${brief(answer.error)}`;
  // A request that completes what it is given gives the odd member back.
  if (demand === 'tolerate' && method.result === method.params) return '';
  return mismatch(method.result, answer.result, 'the result');
}

function wrongCode(answer, codes) {
  if (!answer.error)
    return `answered with the result ${brief(answer.result)} instead of the error ${codes.join(' or ')}`;
  const isText = typeof answer.error.message === 'string';
  return codes.includes(answer.error.code) && isText
    ? ''
    : `answered with the error ${brief(answer.error)} instead of ${codes.join(' or ')}`;
}

module.exports = { CODES, isOffered, wrongAnswer, wrongCode };
