import type { Field } from '../../core/knowledge/hygiene.ts';
import { UnreadableDocument } from '../../core/knowledge/reader.ts';
import { openBytes, type RecordPosition } from '../../text/bytes.ts';
import { toUtf8File } from '../../text/encoding.ts';
import { type JsonLayout, JsonReader, layoutOfJson } from '../../text/json-reader.ts';
import type { Format } from '../format.ts';

interface PreparedJson extends Record<string, unknown> {
  path: string;
  size: number;
  layout: JsonLayout;
  begin: RecordPosition;
  notes: string[];
}

export const json: Format = {
  prepare(path): PreparedJson {
    const text = toUtf8File(path);
    const file = openBytes(text.path);
    try {
      const { layout, begin } = layoutOfJson(file.read, text.begin);
      if (new JsonReader(file.read, layout, begin).read() === null) {
        throw new UnreadableDocument('The file holds no values. Send a JSON array of records, or one record per line.');
      }
      return { path: text.path, size: text.size, layout, begin, notes: text.notes };
    } finally {
      file.close();
    }
  },

  *read(prepared, from) {
    const { path, size, layout, begin } = prepared as PreparedJson;
    const file = openBytes(path);
    try {
      const reader = new JsonReader(file.read, layout, (from as RecordPosition | null) ?? begin);
      for (let found = reader.read(); found; found = reader.read()) {
        const next = reader.position;
        const place = { row: next.row, line: reader.line };
        yield {
          content: contentOf(found.value, next.row),
          headings: [],
          place,
          isRecord: true,
          next,
          done: next.byte / size,
        };
      }
    } finally {
      file.close();
    }
  },
};

/** Every value is named by its path, so long names could create gigabytes. */
const RECORD_CHARACTERS = 100_000_000;

function tooManyNames(row: number): UnreadableDocument {
  return new UnreadableDocument(
    `Value ${row} becomes more than ${RECORD_CHARACTERS / 1e6} MB of text, for its long names are repeated with every value below them. Send an array of flat records, or shorten the names.`,
  );
}

function contentOf(value: unknown, row: number): string | Field[] {
  if (!isNested(value)) return textOf(value);
  const fields: Field[] = [];
  let room = RECORD_CHARACTERS;
  const add = (path: string, text: string): void => {
    room -= path.length + text.length;
    if (room < 0) throw tooManyNames(row);
    fields.push([path, text]);
  };
  collect(value, '', add);
  return fields.some(([, text]) => text.trim() !== '') ? fields : [];
}

/** Names are paths, such as `items[0].name`; a list of plain values is one field. */
function collect(value: unknown, path: string, add: (path: string, text: string) => void): void {
  if (!isNested(value)) add(path, textOf(value));
  else if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) {
      collect(member, path === '' ? name : `${path}.${name}`, add);
    }
  } else
    value.forEach((element, index) => {
      collect(element, `${path}[${index}]`, add);
    });
}

function isNested(value: unknown): value is object {
  return Array.isArray(value)
    ? value.some((element) => typeof element === 'object' && element !== null)
    : typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value ?? '');
}
