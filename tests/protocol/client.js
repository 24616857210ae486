// A client of the model: the document that it works on, and what makes its params right.
'use strict';

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { temporaryFolder } = require('../transcripts/editor');
const { readModel } = require('./model');
const { Session } = require('./session');
const { Maker } = require('./values');

const MODEL = readModel();
const TEXT = `	.text
# LLVM-MCA-BEGIN region
.Lloop:
	vmulsd	(%rdi), %xmm0, %xmm1
	vaddsd	%xmm1, %xmm2, %xmm2
	addq	$8, %rdi
	nonsense	%rax
	cmpq	%rdi, %rsi
	jne	.Lloop
# LLVM-MCA-END region
# mca: cpu=
`;
const LINES = TEXT.split('\n');
const SETTINGS = { triple: 'x86_64-unknown-linux-gnu', cpu: 'skylake', cpus: ['znver4'] };

/** What the types cannot say (values.js), for a client with this document. */
function samplesFor(uri) {
  return {
    DocumentUri: uri,
    URI: uri,
    Position: { line: 4, character: 3 },
    Range: { start: { line: 0, character: 0 }, end: { line: LINES.length, character: 0 } },
    PositionEncodingKind: 'utf-16',
    'TextDocumentItem.languageId': 'asm',
    'TextDocumentItem.text': TEXT,
    'TextDocumentContentParams.uri': 'mca:/none',
    'ExecuteCommandParams.command': 'mca.showMemory',
    'CancelParams.id': 'no request',
    'InitializeParams.processId': process.pid,
    // Those of hints that this server can add later.
    'ClientInlayHintResolveOptions.properties': ['tooltip', 'label.tooltip'],
  };
}

const INITIALIZE = MODEL.find((one) => one.method === 'initialize');

/** A server and a document for it, which is in no folder yet. */
function start(t, settings = SETTINGS) {
  const uri = pathToFileURL(path.join(temporaryFolder(t), 'loop.s')).href;
  const samples = { ...samplesFor(uri), 'InitializeParams.initializationOptions': settings };
  return { session: new Session(t, MODEL, samples), uri, samples };
}

/** Initializes with all capabilities of a client, or with as little as there may be. */
async function initialize({ session, samples }, full = true) {
  const maker = new Maker(samples);
  const params = full ? maker.full(INITIALIZE.params) : maker.minimal(INITIALIZE.params);
  const { result } = await session.request('initialize', params);
  return result.capabilities;
}

function didOpen(session, uri) {
  session.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'asm', version: 1, text: TEXT } });
}

const symbols = async (session, uri) =>
  (await session.request('textDocument/documentSymbol', { textDocument: { uri } })).result;

/** Opens the document, and returns once it has been analysed. */
async function open(session, uri) {
  didOpen(session, uri);
  await session.until(async () => (await symbols(session, uri))?.length > 0, 'the analysis');
}

module.exports = { INITIALIZE, LINES, MODEL, SETTINGS, didOpen, initialize, open, samplesFor, start, symbols };
