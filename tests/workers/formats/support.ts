import type { ReadOptions } from '../../../src/core/knowledge/reader.ts';
import type { Format, Section } from '../../../src/workers/format.ts';
import { NO_HYGIENE } from '../../support/upload-file.ts';

const OPTIONS: ReadOptions = {
  format: 'txt',
  hygiene: NO_HYGIENE,
};

export async function sectionsOf(format: Format, path: string, from: unknown = null): Promise<Section[]> {
  const prepared = JSON.parse(JSON.stringify(await format.prepare(path, OPTIONS)));
  return Array.fromAsync(format.read(prepared, from, OPTIONS));
}

export async function sectionsResumed(format: Format, path: string): Promise<Section[]> {
  const prepared = await format.prepare(path, OPTIONS);
  const found: Section[] = [];
  for (let from: unknown = null; ; ) {
    const reading = format.read(prepared, from, OPTIONS);
    const { value } = await reading.next();
    if (!value) return found;
    await reading.return();
    found.push(value);
    from = JSON.parse(JSON.stringify(value.next));
  }
}
