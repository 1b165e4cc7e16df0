// Which rows the code claims that a call returns, by the compiler of TypeScript.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import {
  type CallExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast';
import {
  API,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import type { RanStatement } from '../support/statements.js';
import type { Column } from './columns.js';

/** A call that reads rows. */
export interface Call {
  /** Path from the root of the project, and line. */
  readonly place: string;
  /** The types of row that are claimed, one for each member of a union; none for any object. */
  readonly rows: readonly Type[];
}

const READS = new Set(['rows', 'query', '$queryRaw']);

/** Reads claims from the sources of a project. Close it. */
export class Claims {
  readonly #api: API;
  readonly #project: Project;
  readonly #maps = new Map<string, SourceMap>();
  readonly #calls = new Map<string, Call>();

  constructor(private readonly root: string) {
    this.#api = new API({ cwd: root });
    const config = resolve(root, 'tsconfig.test.json');
    this.#project = this.#api
      .updateSnapshot({ openProjects: [config] })
      .getProject(config) as Project;
  }

  close(): void {
    this.#api.close();
  }

  /** Returns the call at a place of compiled code. Throws where there is none. */
  callAt(site: RanStatement['site']): Call {
    const known = this.#calls.get(site.join());
    if (known) return known;
    const call = this.#find(site);
    this.#calls.set(site.join(), call);
    return call;
  }

  #find([compiled, line, column]: RanStatement['site']): Call {
    const path = compiled.replace(/^file:\/\/|\?.*$/g, '');
    const entry = this.#mapOf(path).findEntry(line - 1, column - 1);
    if (!('originalSource' in entry)) throw new Error(`No source of ${path}:${line}`);
    const file = resolve(dirname(path), entry.originalSource);
    const source = this.#project.program.getSourceFile(file);
    const { originalLine, originalColumn } = entry;
    const place = `${file.slice(this.root.length + 1)}:${originalLine + 1}`;
    const call = source && callIn(source, offsetOf(source, originalLine, originalColumn));
    if (!call) throw new Error(`No call that reads rows at ${place}`);
    return { place, rows: this.#rowsOf(call) };
  }

  /** Returns in what a claim differs from a column; undefined where it fits or claims nothing. */
  difference(row: Type, { name, kind, isArray }: Column, isNull: boolean): string | undefined {
    const { checker } = this.#project;
    const property = checker.getPropertyOfType(row, name);
    const type = property && checker.getTypeOfSymbol(property);
    if (!type) return this.isOpen(row) ? undefined : `claims no column "${name}"`;
    if (checker.isTypeAssignableTo(checker.getUnknownType(), type)) return undefined;
    const claimed = checker.typeToString(type);
    if (isNull && !checker.isTypeAssignableTo(checker.getNullType(), type))
      return `claims "${name}" as ${claimed}; it was null`;
    const present = checker.getNonNullableType(type) ?? type;
    const returned = isArray ? `${kind}[]` : kind;
    const fits = isArray ? this.#isListOf(present, kind) : this.#isOf(present, kind);
    return fits ? undefined : `claims "${name}" as ${claimed}; it is ${returned}`;
  }

  /** Returns whether a claim leaves open which other columns there are. */
  isOpen(row: Type): boolean {
    const parts = row.isIntersectionType() ? row.getTypes() : [row];
    return parts.some(({ flags }) => (flags & TypeFlags.TypeParameter) !== 0);
  }

  /** Returns the columns that a claim needs. */
  needed(row: Type): string[] {
    return this.#project.checker
      .getPropertiesOfType(row)
      .filter(({ flags }) => flags & SymbolFlags.Property && !(flags & SymbolFlags.Optional))
      .map(({ name }) => name);
  }

  #isListOf(type: Type, kind: Column['kind']): boolean {
    const { checker } = this.#project;
    if (checker.isTypeAssignableTo(type, checker.getNeverType())) return true;
    if (!checker.isArrayLikeType(type)) return false;
    const [element] = checker.getTypeArguments(type as TypeReference);
    return element !== undefined && this.#isOf(element, kind);
  }

  #isOf(type: Type, kind: Column['kind']): boolean {
    const { checker } = this.#project;
    if (kind === 'JSON') return true;
    const types = {
      string: checker.getStringType(),
      number: checker.getNumberType(),
      boolean: checker.getBooleanType(),
    };
    if (kind === 'Date' || kind === 'Buffer')
      return new RegExp(`^${kind}\\b|^never$`).test(checker.typeToString(type));
    return checker.isTypeAssignableTo(type, types[kind]);
  }

  #rowsOf(call: CallExpression | TaggedTemplateExpression): Type[] {
    const { checker } = this.#project;
    const promise = checker.getTypeAtLocation(call);
    const [list] = promise ? checker.getTypeArguments(promise as TypeReference) : [];
    if (!list || !checker.isArrayLikeType(list)) return [];
    const [row] = checker.getTypeArguments(list as TypeReference);
    if (!row) return [];
    const members = row.isUnionType() ? row.getTypes() : [row];
    return members.filter((member) => checker.getPropertiesOfType(member).length > 0);
  }

  #mapOf(path: string): SourceMap {
    const known = this.#maps.get(path);
    if (known) return known;
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    this.#maps.set(path, map);
    return map;
  }
}

function offsetOf({ text }: SourceFile, line: number, column: number): number {
  let offset = 0;
  for (let at = 0; at < line; at++) offset = text.indexOf('\n', offset) + 1;
  return offset + column;
}

/** Returns the innermost call that reads rows around a place. */
function callIn(
  source: Node,
  offset: number,
): CallExpression | TaggedTemplateExpression | undefined {
  let found: CallExpression | TaggedTemplateExpression | undefined;
  const visit = (node: Node): void => {
    if (node.pos > offset || node.end <= offset) return;
    if (reads(node)) found = node;
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function reads(node: Node): node is CallExpression | TaggedTemplateExpression {
  const called =
    node.kind === SyntaxKind.CallExpression
      ? (node as CallExpression).expression
      : node.kind === SyntaxKind.TaggedTemplateExpression
        ? (node as TaggedTemplateExpression).tag
        : undefined;
  return (
    called?.kind === SyntaxKind.PropertyAccessExpression &&
    READS.has((called as unknown as { name: { text: string } }).name.text)
  );
}
