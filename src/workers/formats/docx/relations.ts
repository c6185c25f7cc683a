import { posix } from 'node:path';
import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';

export interface Relation {
  /** The last part of its address, such as `header`. */
  type: string;
  /** A name in the package. */
  target: string;
}

/** What a part refers to, by id; links out of the package are left out. */
export class Relations implements XmlHandler {
  readonly byId = new Map<string, Relation>();
  readonly #folder: string;

  constructor(part: string) {
    this.#folder = posix.dirname(part);
  }

  open(tag: XmlTag): void {
    const [id, type, target] = [attribute(tag, 'Id'), attribute(tag, 'Type'), attribute(tag, 'Target')];
    if (tag.local !== 'Relationship' || !id || !type || !target || attribute(tag, 'TargetMode') === 'External') return;
    const name = target.startsWith('/') ? target.slice(1) : posix.join(this.#folder, target);
    this.byId.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: name });
  }

  close(): void {}

  ofType(...types: string[]): [id: string, relation: Relation][] {
    return [...this.byId].filter(([, { type }]) => types.includes(type));
  }
}

/** The part that holds the relations of another one. */
export function relationsOf(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
}
