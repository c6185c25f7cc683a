import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { routes } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/docs/openapi.ts';

/*
 * Writes the types of clients/typescript from the API document: `npm run client`. They are committed, so that a change of the API shows
 * what it does to those who call it.
 */

export const TYPES_FILE = new URL('../../clients/typescript/api.ts', import.meta.url);

const HEADER = '/* The types of the API, made of its document by `npm run client`. Do not edit. */\n\n';

/** The types of the API as it is now. */
export async function clientTypes(): Promise<string> {
  const blob = ts.factory.createTypeReferenceNode('Blob');
  const document = withoutExamples(openApiDocument(routes)) as Parameters<typeof openapiTS>[0];
  const nodes = await openapiTS(document, {
    // What has a default may be left out of a request; in answers it is required by their own schemas.
    defaultNonNullable: false,
    silent: true,
    transform: (schema) => (schema.format === 'binary' ? blob : undefined),
  });
  return `${HEADER}${astToString(nodes)}`;
}

export function committedTypes(): string {
  return readFileSync(TYPES_FILE, 'utf8');
}

/** As comments they would be most of the file. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'examples');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutExamples(member)]));
}

if (import.meta.main) writeFileSync(TYPES_FILE, await clientTypes());
