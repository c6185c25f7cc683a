import { benchIngest } from './ingest.ts';
import { benchMcp } from './mcp.ts';
import { benchStart } from './start.ts';

/** `npm run bench` runs all; `npm run bench -- ingest` one. Ratios are measured alternately in one run. */
const benches: Record<string, () => Promise<void>> = { mcp: benchMcp, ingest: benchIngest, start: benchStart };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
