import { Parser } from 'htmlparser2';
import { UnreadableDocument } from '../core/knowledge/reader.ts';

export interface XmlTag {
  /** The namespace; empty without one. */
  uri: string;
  local: string;
  /** By their names as written. */
  attributes: Record<string, string>;
}

export interface XmlHandler {
  open(tag: XmlTag): void;
  close(tag: XmlTag): void;
  text?(text: string): void;
}

/** The parser's cost is quadratic in depth. Office programs nest some dozens. */
const MAX_DEPTH = 256;

type Prefixes = ReadonlyMap<string, string>;

/** Refuses a DOCTYPE, whose entities can expand to gigabytes, and elements that do not end. */
export async function parseXml(name: string, pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const refuse = (fault: string) => {
    throw new UnreadableDocument(`${name} ${fault}. Save the document again.`);
  };
  const opened: { tag: XmlTag; prefixes: Prefixes; end: number }[] = [];
  let elements = 0;
  const parser = new Parser(
    {
      onprocessinginstruction: (instruction) => {
        if (/^!doctype/i.test(instruction)) refuse('declares a document type, which is not allowed');
      },
      onopentag: (written, attributes) => {
        if (opened.length === MAX_DEPTH) {
          refuse(`nests its elements more than ${MAX_DEPTH} levels deep, as no document does`);
        }
        elements += 1;
        const prefixes = prefixesIn(attributes, opened.at(-1)?.prefixes ?? new Map());
        const colon = written.indexOf(':');
        const uri = prefixes.get(colon === -1 ? '' : written.slice(0, colon)) ?? '';
        const tag = { uri, local: written.slice(colon + 1), attributes };
        opened.push({ tag, prefixes, end: parser.endIndex });
        handler.open(tag);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag: (written, isImplied) => {
        const { tag, end } = opened.pop()!;
        // The end of `<a/>` is implied where its tag ends.
        if (isImplied && parser.endIndex !== end) refuse(`is damaged: the element ${written} does not end`);
        handler.close(tag);
      },
    },
    { xmlMode: true, recognizeSelfClosing: true },
  );
  for await (const piece of pieces) parser.write(piece);
  parser.end();
  if (elements === 0) refuse('is damaged: it has no elements');
}

/** Namespaces by prefix, with those that an element declares. */
function prefixesIn(attributes: Record<string, string>, around: Prefixes): Prefixes {
  let prefixes: Map<string, string> | undefined;
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    prefixes ??= new Map(around);
    prefixes.set(name.slice('xmlns:'.length), attributes[name]!);
  }
  return prefixes ?? around;
}

/** In any namespace. */
export function attribute(tag: XmlTag, local: string): string | undefined {
  for (const name in tag.attributes) {
    if (name === local || name.endsWith(`:${local}`)) return tag.attributes[name];
  }
  return undefined;
}
