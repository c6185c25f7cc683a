import type { Express, RequestHandler } from 'express';
import type { PortalFile, PortalFiles } from '../../portal/files.ts';
import { HttpError } from '../errors.ts';
import type { Route } from '../route.ts';
import { sendFile, wantsHtml } from '../send-file.ts';

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

const CONTENT_SECURITY_POLICY = [
  // The library writes style elements; scripts come from files only.
  ...["default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"],
  ...["font-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const PAGE_HEADERS = { 'content-security-policy': CONTENT_SECURITY_POLICY, 'cache-control': 'no-cache' };

/**
 * The interactive API reference: `GET /docs` for browsers, and its files. If it cannot be built, as
 * in a checkout without development dependencies, the next handler of `/docs` answers.
 */
export function mountReference(app: Express, files: Pick<PortalFiles, 'find'>, basePath: string): void {
  app.get('/docs', async (request, response, next) => {
    response.vary('Accept');
    if (!wantsHtml(request)) return next();
    const file = await files.find('reference/index.html').catch(() => null);
    if (!file) return next();
    const page = (await file.read()).toString().replaceAll('="./', `="${basePath}`);
    response.set(PAGE_HEADERS).type('html').send(page);
  });
  // The file names contain a hash of the content.
  app.get('/docs/reference/:name', async (request, response) => {
    const file = await files.find(`reference/${request.params.name}`);
    if (!file) throw new HttpError(404, `There is no file ${request.path}. Reload the page.`);
    await sendFile(response, file, { 'cache-control': 'public, max-age=31536000, immutable' });
  });
}
