import type { Express, RequestHandler } from 'express';
import type { PortalFile, PortalFiles } from '../../portal/files.ts';
import type { Route } from '../route.ts';
import { sendFile } from '../send-file.ts';
import { mountReference } from './reference.ts';

/**
 * The documentation of the API: the OpenAPI document, the interactive reference, and a page without
 * scripts. `basePath` is the path of the public address, with a slash at its end.
 */
export function mountDocs(
  app: Express,
  routes: readonly Route[],
  files: Pick<PortalFiles, 'find'>,
  basePath: string,
): void {
  const loadDocument = async () => {
    const { openApiDocument } = await import('./openapi.ts');
    return { ...openApiDocument(routes), servers: [{ url: basePath.replace(/(.)\/$/, '$1') }] };
  };
  const loadJson = async () => textFile('application/json; charset=utf-8', JSON.stringify(await loadDocument()));
  const loadPage = async () => {
    const { docsPage } = await import('./page.ts');
    return textFile('text/html; charset=utf-8', docsPage(await loadDocument()));
  };
  const sendPage = sendOnceLoaded(loadPage);
  app.get('/openapi.json', sendOnceLoaded(loadJson));
  mountReference(app, files, basePath);
  app.get(['/docs', '/docs/plain'], sendPage);
}

/** Loaded and built with the first request, to save memory. */
function sendOnceLoaded(load: () => Promise<PortalFile>): RequestHandler {
  let file: Promise<PortalFile> | undefined;
  return async (_request, response) => {
    file ??= load();
    await sendFile(response, await file);
  };
}

function textFile(type: string, text: string): PortalFile {
  const bytes = Buffer.from(text);
  return { type, read: async () => bytes };
}
