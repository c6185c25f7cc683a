import type { Express } from 'express';
import type { PortalFiles } from '../../portal/files.ts';
import { HttpError } from '../errors.ts';
import { wantsHtml } from '../html.ts';
import { sendFile } from '../send-file.ts';

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
