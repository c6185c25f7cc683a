import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenFolder } from '../../../support/golden-folder.ts';
import { ingested, search } from '../../../support/knowledge.ts';
import { newDesk } from './support.ts';

const MESSY = { name: 'messy.csv', content: readFileSync(join(goldenFolder, 'csv/messy.csv')) };
const CLEANED = {
  hygieneStripHtml: 'true',
  hygieneRemoveUrls: 'true',
  hygieneDropEmptyValues: 'true',
  hygieneNormalizeWhitespace: 'true',
  csvContentColumns: 'title,description',
};

test('POST /vectors ingest: dedupeUnits stores rows that are equal after cleaning once', async () => {
  const desk = await newDesk();
  const rowsAbout = async (vectorStore: string): Promise<number[]> => {
    const { results } = await search(desk, vectorStore, 'refund transfer', { mode: 'lexical' });
    return results.map(({ source }: { source: { row: number } }) => source.row).sort();
  };

  const all = await ingested(desk, MESSY, { ...CLEANED, vectorStore: 'all' });
  assert.deepEqual([all.processedChunks, await rowsAbout('all')], [5, [1, 4]]);
  const once = await ingested(desk, MESSY, { ...CLEANED, vectorStore: 'once', hygieneDedupeUnits: 'true' });
  assert.deepEqual([once.processedChunks, await rowsAbout('once')], [4, [1]]);
});
