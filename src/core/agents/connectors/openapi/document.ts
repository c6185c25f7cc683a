import { isObject } from '../../../base/json-schema/values.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { type JsonObject, own } from './values.ts';

/** Limits recursion. Real documents are shallower. */
const MAX_DEPTH = 200;
/** Each alias counts its values again. A document of 32 MB has about two million. */
const MAX_VALUES = 5_000_000;
const MAX_HOPS = 50;

/** `at` is a JSON Pointer such as `#/paths/~1pets`. */
export interface Located<Value = unknown> {
  value: Value;
  at: string;
}

/** OpenAPI 3.0 or 3.1 without references to other documents. */
export class OpenApiDocument {
  readonly root: JsonObject;
  /** From OpenAPI 3.1 on, members next to a `$ref` count, too. */
  readonly keepsRefSiblings: boolean;

  constructor(document: unknown) {
    this.root = checkedVersion(document);
    this.keepsRefSiblings = String(this.root.openapi).startsWith('3.1');
    checkValues(this.root);
  }

  /** Throws `invalid` for a reference without a target. */
  resolve(value: unknown, at: string): Located {
    let found: Located = { value, at };
    for (let hops = 0; isSchemaReference(found.value); hops++) {
      if (hops === MAX_HOPS) throw invalid(`${at}/$ref: leads back to itself`);
      found = this.follow(found.value.$ref, found.at);
    }
    return found;
  }

  /** Only where a reference may stand: a `$ref` in examples and other data is a member like any. */
  follow(reference: string, at: string): Located {
    if (!reference.startsWith('#')) {
      throw invalid(`${at}/$ref: must begin with #; copy into the document what it refers to`);
    }
    const parts = pointerPartsOf(reference);
    let value: unknown = parts === null ? undefined : this.root;
    for (const part of parts ?? []) {
      if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
      else value = isObject(value) ? own(value, part) : undefined;
    }
    if (parts === null || parts.length === 0 || value === undefined) {
      throw invalid(`${at}/$ref: leads nowhere; there is no ${shortened(reference)} in the document`);
    }
    return { value, at: ['#', ...parts.map(escaped)].join('/') };
  }
}

export function isSchemaReference(value: unknown): value is JsonObject & { $ref: string } {
  return isObject(value) && typeof own(value, '$ref') === 'string';
}

export function within(at: string, ...names: (string | number)[]): string {
  return [at, ...names.map((name) => escaped(String(name)))].join('/');
}

export function pointerPartsOf(reference: string): string[] | null {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return null;
  try {
    return reference
      .slice(2)
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return null;
  }
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}

function checkedVersion(document: unknown): JsonObject {
  if (!isObject(document)) throw invalid('#: must be an OpenAPI document: an object');
  if (Object.hasOwn(document, 'swagger')) {
    throw invalid('#/swagger: is of Swagger 2; convert the document to OpenAPI 3.0 or 3.1 first');
  }
  // YAML reads an unquoted 3.1 as a number, and 3.0 as 3.
  const version = String(own(document, 'openapi') ?? '');
  if (version === '') throw invalid('#/openapi: is required: the version of OpenAPI, 3.0.3 for example');
  if (!/^3(\.[01](\.\d+)?(-.*)?)?$/.test(version)) throw invalid('#/openapi: must be 3.0 or 3.1');
  return document;
}

function checkValues(root: JsonObject): void {
  let values = 0;
  const visit = (value: object, depth: number): void => {
    if (depth > MAX_DEPTH) throw invalid(`#: is nested deeper than ${MAX_DEPTH} levels; flatten it`);
    for (const member of Object.values(value)) {
      if (++values > MAX_VALUES) throw invalid(`#: has more than ${MAX_VALUES} values, those of its aliases included`);
      if (typeof member === 'object' && member !== null) visit(member, depth + 1);
    }
  };
  visit(root, 1);
}

/** Something that an import left out or changed. `at` is a JSON Pointer. */
export interface ImportNote {
  at: string;
  message: string;
  /** Other places with the same message. */
  more: number;
}

export class ImportNotes {
  private readonly pointers = new Map<string, Set<string>>();

  add(at: string, message: string): void {
    const known = this.pointers.get(message);
    if (known) known.add(at);
    else this.pointers.set(message, new Set([at]));
  }

  all(): ImportNote[] {
    return [...this.pointers].map(([message, [at, ...others]]) => ({ at: at!, message, more: others.length }));
  }
}

export function noteLine({ at, message, more }: ImportNote): string {
  return more === 0 ? `${at}: ${message}` : `${at} and ${more} more: ${message}`;
}
