import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { UnreadableDocument } from '../core/knowledge/reader.ts';

export type XmlTag = SaxesTagNS;

export interface XmlHandler {
  open(tag: XmlTag): void;
  close(tag: XmlTag): void;
  text?(text: string): void;
}

/** Saxes' cost is quadratic in depth. Office programs nest some dozens. */
const MAX_DEPTH = 256;

/** Refuses a DOCTYPE, whose entities can expand to gigabytes. */
export async function parseXml(name: string, pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('doctype', () => {
    throw new UnreadableDocument(`${name} declares a document type, which is not allowed. Save the document anew.`);
  });
  parser.on('error', (error) => {
    throw new UnreadableDocument(`${name} is damaged: ${error.message.replace(/\.$/, '')}. Save the document anew.`);
  });
  let depth = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) {
      throw new UnreadableDocument(
        `${name} nests its elements more than ${MAX_DEPTH} levels deep, as no document does. Save the document anew.`,
      );
    }
    handler.open(tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    handler.close(tag);
  });
  if (handler.text) parser.on('text', (text) => handler.text!(text));
  for await (const piece of pieces) parser.write(piece);
  parser.close();
}

/** In any namespace. */
export function attribute(tag: XmlTag, local: string): string | undefined {
  const attributes: SaxesAttributeNS[] = Object.values(tag.attributes);
  return attributes.find((one) => one.local === local)?.value;
}
