// The protocol's meta model: each method with its direction, the capability by which a server offers it, and the types
// of its parameters and result.
//
// Microsoft publishes metaModel.json in a repository and not in the package, so this is derived from what it is made of
// itself: the package's exported request and notification types, for names, directions and capabilities, and their type
// arguments, which TypeScript's compiler reads from its declarations. They are of version 3.18, which has all methods
// of 3.17 and, unlike the package of 3.17, the capabilities.
//
// A type is one of
//   { kind: 'base', name }          string, boolean, integer, uinteger, decimal, null, object or any; `alias` is the
//                                   name that the declaration uses, such as DocumentUri
//   { kind: 'literal', value }
//   { kind: 'array', element }
//   { kind: 'tuple', items }
//   { kind: 'or', items }
//   { kind: 'structure', name, members: [{ name, optional, type }], others }
// where `others` is the type of the members that have no name, if there may be any. Structures refer to themselves.
'use strict';

const path = require('node:path');
const ts = require('typescript');
const lsp = require('vscode-languageserver-protocol');

const NUMBERS = ['integer', 'uinteger', 'decimal'];
const KEYWORDS = {
  [ts.SyntaxKind.StringKeyword]: 'string',
  [ts.SyntaxKind.NumberKeyword]: 'decimal',
  [ts.SyntaxKind.BooleanKeyword]: 'boolean',
  [ts.SyntaxKind.ObjectKeyword]: 'object',
  [ts.SyntaxKind.AnyKeyword]: 'any',
  [ts.SyntaxKind.VoidKeyword]: 'null', // a result that says nothing is null (LSP 3.17, Response Message)
};

const base = (name) => ({ kind: 'base', name });

/** Reads types as they are written, since the compiler itself takes integer and uinteger for one type. */
class TypeReader {
  constructor(checker) {
    this.checker = checker;
    this.structures = new Map();
  }

  read(node) {
    if (ts.isParenthesizedTypeNode(node)) return this.read(node.type);
    if (ts.isArrayTypeNode(node)) return { kind: 'array', element: this.read(node.elementType) };
    if (ts.isTupleTypeNode(node)) return { kind: 'tuple', items: node.elements.map((one) => this.read(one)) };
    if (ts.isUnionTypeNode(node)) return this.readUnion(node);
    if (ts.isLiteralTypeNode(node)) return this.readLiteral(node.literal);
    if (ts.isTypeReferenceNode(node)) return this.readReference(node);
    if (ts.isTypeLiteralNode(node) || ts.isIntersectionTypeNode(node)) return this.readStructure(node, '');
    if (ts.isTypeQueryNode(node)) return this.readValue(node.exprName);
    if (KEYWORDS[node.kind]) return base(KEYWORDS[node.kind]);
    throw new Error(`a type that the model does not know: ${node.getText()}`);
  }

  /** A member that may be undefined is left out of the JSON. */
  readUnion(node) {
    const items = node.types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword).map((one) => this.read(one));
    return items.length === 1 ? items[0] : { kind: 'or', items };
  }

  readLiteral(literal) {
    if (literal.kind === ts.SyntaxKind.NullKeyword) return base('null');
    if (literal.kind === ts.SyntaxKind.TrueKeyword) return { kind: 'literal', value: true };
    if (literal.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'literal', value: false };
    return { kind: 'literal', value: ts.isNumericLiteral(literal) ? Number(literal.text) : literal.text };
  }

  /** The type of a constant, such as DocumentDiagnosticReportKind.Full. */
  readValue(name) {
    const declaration = this.checker.getSymbolAtLocation(name).valueDeclaration;
    return declaration.type ? this.read(declaration.type) : this.readLiteral(declaration.initializer);
  }

  declarationOf(name) {
    let symbol = this.checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    const isType = (one) =>
      ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isTypeParameterDeclaration(one);
    const declaration = symbol?.declarations?.find(isType);
    if (!declaration) throw new Error(`no declaration of the type ${name.getText()}`);
    return declaration;
  }

  readReference(node) {
    const declaration = this.declarationOf(node.typeName);
    const name = declaration.name.text;
    if (ts.isTypeParameterDeclaration(declaration)) return base('any');
    if (NUMBERS.includes(name)) return base(name);
    if (ts.isInterfaceDeclaration(declaration)) return this.readStructure(declaration, name);
    const { type } = declaration;
    if (ts.isTypeLiteralNode(type) || ts.isIntersectionTypeNode(type)) return this.readStructure(type, name);
    const read = this.read(type);
    return read.kind === 'base' ? { ...read, alias: name } : read;
  }

  /** The structure is known before its members are read, which may refer to it. */
  readStructure(node, name) {
    if (!this.structures.has(node)) {
      const structure = { kind: 'structure', name, members: [], others: undefined };
      this.structures.set(node, structure);
      this.addMembers(structure, node);
    }
    return this.structures.get(node);
  }

  addMembers(structure, node) {
    const parents = ts.isIntersectionTypeNode(node)
      ? node.types
      : (node.heritageClauses ?? []).flatMap((clause) => clause.types);
    for (const parent of parents) {
      const { members, others } = this.readParent(parent);
      for (const member of members) this.addMember(structure, member);
      structure.others ??= others;
    }
    for (const member of node.members ?? []) {
      if (ts.isIndexSignatureDeclaration(member)) structure.others = this.read(member.type);
      else if (ts.isPropertySignature(member)) this.addMember(structure, this.readMember(member));
      else throw new Error(`a member that the model does not know: ${member.getText()}`);
    }
  }

  readParent(parent) {
    return ts.isExpressionWithTypeArguments(parent)
      ? this.readStructure(this.declarationOf(parent.expression), parent.expression.text)
      : this.read(parent);
  }

  readMember(member) {
    return { name: member.name.text, optional: Boolean(member.questionToken), type: this.read(member.type) };
  }

  /** A structure may make a member of its parent narrower. */
  addMember(structure, added) {
    structure.members = [...structure.members.filter((one) => one.name !== added.name), added];
  }
}

/** The names of the type and of its arguments, such as ProtocolRequestType<HoverParams, Hover | null, …>. */
function typeNodeOf(namespace, checker) {
  const declared = checker.getExportsOfModule(namespace).find((one) => one.name === 'type')?.valueDeclaration;
  const node = declared && ts.isVariableDeclaration(declared) && declared.type;
  return node && ts.isTypeReferenceNode(node) && /^(Protocol)?(Request|Notification)Type0?$/.test(node.typeName.text)
    ? node
    : undefined;
}

/** One method out of its namespace of the package and what that exports. */
function readMethod(node, exported, reader) {
  const [, kind, none] = /(Request|Notification)Type(0?)$/.exec(node.typeName.text);
  const types = node.typeArguments ?? [];
  return {
    method: exported.type.method,
    kind: kind.toLowerCase(),
    direction: exported.messageDirection,
    capability: exported.capabilities?.server,
    params: none ? null : reader.read(types[0]),
    result: kind === 'Request' ? reader.read(types[none ? 0 : 1]) : undefined,
  };
}

/** Those that the package does not export as the others. */
function baseMethods(reader, program) {
  const source = program.getSourceFile(BASE);
  const interfaceOf = (name) =>
    reader.readStructure(
      source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name),
      name,
    );
  const both = { kind: 'notification', direction: 'both' };
  return [
    { method: '$/cancelRequest', ...both, params: interfaceOf('CancelParams') },
    { method: '$/progress', ...both, params: interfaceOf('ProgressParams') },
  ];
}

// vscode-jsonrpc knows no directions (LSP 3.17, SetTrace and LogTrace).
const TRACE_DIRECTIONS = { '$/setTrace': 'clientToServer', '$/logTrace': 'serverToClient' };

const BASE = path.join(__dirname, 'base.d.ts');
const API = path.join(path.dirname(require.resolve('vscode-languageserver-protocol')), 'api.d.ts');

/** The methods, sorted by name. */
function readModel() {
  const options = {
    noLib: true,
    types: [],
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
  };
  const program = ts.createProgram([API, BASE], options);
  const checker = program.getTypeChecker();
  const reader = new TypeReader(checker);
  const methods = baseMethods(reader, program);
  for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(API)))) {
    const namespace = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const node = namespace.flags & ts.SymbolFlags.Namespace ? typeNodeOf(namespace, checker) : undefined;
    if (node) methods.push(readMethod(node, lsp[symbol.name], reader));
  }
  for (const one of methods) one.direction ??= TRACE_DIRECTIONS[one.method];
  return methods.sort((a, b) => (a.method < b.method ? -1 : 1));
}

module.exports = { readModel };
