import { builtPart, type Part } from './parts.ts';

/*
 * `node packaging/portal/build.ts [portal | reference]...`: builds the named parts, or both. In a checkout the server runs
 * it at the first request for a page.
 */

const PARTS: Part[] = ['portal', 'reference'];
const asked = process.argv.slice(2);
for (const part of PARTS) if (asked.length === 0 || asked.includes(part)) await builtPart(part);
