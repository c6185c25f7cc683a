import { isObject } from '../../../base/json-schema/values.ts';
import { checkJson } from '../../../base/shared/json.ts';
import { isJson } from './body.ts';
import { type OpenApiDocument, within } from './document.ts';
import type { Notes } from './notes.ts';
import { type JsonObject, listOf, objectOf, own } from './values.ts';

const MAX_DEPTH = 30;

export interface ImportedMock {
  status: number;
  body?: unknown;
}

/** The first successful response with an example (docs/decisions/0025-mocks-of-imports.md). */
export function importMock(
  responses: unknown,
  at: string,
  maxSize: number,
  { document, notes }: { document: OpenApiDocument; notes: Notes },
): ImportedMock | undefined {
  const answers = Object.entries(objectOf(responses)).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
  let empty: ImportedMock | undefined;
  for (const [code, written] of answers.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const status = /^\d+$/.test(code) ? Number(code) : 200;
    const response = document.resolve(written, within(at, code));
    const content = objectOf(objectOf(response.value).content);
    const type = Object.keys(content).find(isJson);
    if (type !== undefined) {
      const example = exampleOf(objectOf(content[type]), within(response.at, 'content', type), document, notes);
      const body = bodyOf(example, maxSize);
      return body === undefined ? undefined : { status, body };
    }
    if (Object.keys(content).length === 0) empty ??= { status };
  }
  return empty;
}

/** The whole example, else one item per list; undefined when both are too large. */
function bodyOf(example: unknown, maxSize: number): unknown {
  return [example, oneItemPerList(example, MAX_DEPTH)].find(
    (body) => body !== undefined && checkJson(body, MAX_DEPTH).length === 0 && JSON.stringify(body).length <= maxSize,
  );
}

function exampleOf(media: JsonObject, at: string, document: OpenApiDocument, notes: Notes): unknown {
  if (Object.hasOwn(media, 'example')) return media.example;
  for (const [name, written] of Object.entries(objectOf(media.examples))) {
    const example = objectOf(document.resolve(written, within(at, 'examples', name)).value);
    if (Object.hasOwn(example, 'value')) return example.value;
    if (Object.hasOwn(example, 'externalValue')) {
      notes.add(within(at, 'examples', name), 'is an example elsewhere, which is not read');
    }
  }
  const schema = objectOf(document.resolve(media.schema, within(at, 'schema')).value);
  return own(schema, 'example') ?? listOf(schema.examples)[0] ?? own(schema, 'default');
}

function oneItemPerList(value: unknown, levels: number): unknown {
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => oneItemPerList(item, levels - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, oneItemPerList(member, levels - 1)]));
}
