import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { routes } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/docs/openapi.ts';

/*
 * Writes the types of clients/typescript from the OpenAPI document: `npm run client`. They are
 * committed, so that a diff shows the effect of an API change on clients.
 */

export const TYPES_FILE = new URL('../../clients/typescript/api.d.ts', import.meta.url);

const HEADER = '/* The types of the API, made of its document by `npm run client`. Do not edit. */\n\n';

export async function clientTypes(): Promise<string> {
  const blob = ts.factory.createTypeReferenceNode('Blob');
  const document = reduced(openApiDocument(routes)) as Parameters<typeof openapiTS>[0];
  const nodes = await openapiTS(document, {
    // A member with a default is optional in requests; response schemas mark it as required
    // themselves.
    defaultNonNullable: false,
    silent: true,
    transform: (schema) => (schema.format === 'binary' ? blob : undefined),
  });
  return `${HEADER}${astToString(nodes)}`;
}

export function committedTypes(): string {
  return readFileSync(TYPES_FILE, 'utf8');
}

/**
 * Without examples, which as comments would be most of the file, and without pictures, which would make `data` a union
 * with text: a client that asks for a picture sets `parseAs: 'blob'`, which is typed.
 */
function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduced);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'examples' && !name.startsWith('image/'));
  return Object.fromEntries(members.map(([name, member]) => [name, reduced(member)]));
}

if (import.meta.main) writeFileSync(TYPES_FILE, await clientTypes());
