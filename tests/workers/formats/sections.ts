import type { Position, ReadOptions } from '../../../src/core/knowledge/reader.ts';
import { UnreadableDocument } from '../../../src/core/knowledge/reader.ts';
import type { Format, Section } from '../../../src/workers/format.ts';
import { NO_HYGIENE } from '../../support/upload-file.ts';

export function optionsFor(format: ReadOptions['format']): ReadOptions {
  return { format, hygiene: NO_HYGIENE };
}

export async function readAll(
  format: Format,
  path: string,
  options: ReadOptions,
): Promise<Section[] | { error: string }> {
  try {
    const prepared = await format.prepare(path, options);
    return await Array.fromAsync(format.read(prepared, null, options));
  } catch (error) {
    if (error instanceof UnreadableDocument) return { error: error.message };
    throw error;
  }
}

/** Reads a file section by section, resuming each time from the position as JSON. */
export async function readInSteps(format: Format, path: string, options: ReadOptions): Promise<Section[]> {
  const prepared = JSON.parse(JSON.stringify(await format.prepare(path, options)));
  const sections: Section[] = [];
  for (let from: Position | null = null; ; ) {
    const sectionsFrom = format.read(prepared, from, options);
    const { value, done } = await sectionsFrom.next();
    await sectionsFrom.return();
    if (done) return sections;
    sections.push(value as Section);
    from = JSON.parse(JSON.stringify((value as Section).next));
  }
}
