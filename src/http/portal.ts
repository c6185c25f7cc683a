import type { Express, RequestHandler } from 'express';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { PortalFile, PortalFiles } from '../portal/files.ts';
import { HttpError } from './errors.ts';
import { methodNotAllowed } from './pipeline.ts';
import { escapeHtml, sendFile, wantsHtml } from './send-file.ts';

const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"],
];

/** The CSP of a page that runs and loads nothing but the files of the portal. */
export function pagePolicy(frameAncestors: string): string {
  return [...POLICY, frameAncestors].join('; ');
}

export const PAGE_HEADERS = {
  'content-security-policy': pagePolicy("frame-ancestors 'none'"),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)',
  'cache-control': 'no-cache',
};

/** For files whose name contains a hash of the content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const BRIEFLY = 'public, max-age=300';

const HASHED = '/assets/*path';
const OTHERS = ['/theme.js', '/favicon.svg'];

/** Paths that never answer with a page of the portal: unknown paths below them are a 404. */
const NO_PAGE = /^\/(api|mcp|docs|oauth|\.well-known|assets)(\/|$)|^\/(openapi\.json|healthz|readyz)$/i;

/**
 * The portal's pages and their files. `basePath` is the path of the public address, with a slash at
 * its end.
 */
export function mountPortal(app: Express, files: Pick<PortalFiles, 'find'>, basePath: string): void {
  const sendCached =
    (cacheControl: string): RequestHandler =>
    async (request, response) => {
      const file = await files.find(request.path.slice(1));
      if (!file) throw new HttpError(404, `There is no file ${request.path}. Reload the page.`);
      // It is for documents, and a third of the bytes of a small script.
      if (/javascript|css|font/.test(file.type)) response.removeHeader('content-security-policy');
      await sendFile(response, file, { 'cache-control': cacheControl });
    };
  app.get(HASHED, sendCached(IMMUTABLE));
  app.get(OTHERS, sendCached(BRIEFLY));
  app.route([HASHED, ...OTHERS]).all(methodNotAllowed(['GET']));
  app.get('/*path', sendPage(files, basePath));
  app.get('/', sendPage(files, basePath), (_request, response) => response.redirect(`${basePath}docs`));
}

/** For browsers. All pages are one HTML document, whose script renders the page of the path. */
function sendPage(files: Pick<PortalFiles, 'find'>, basePath: string): RequestHandler {
  return async (request, response, next) => {
    if (NO_PAGE.test(request.path)) return next();
    response.vary('Accept');
    if (!wantsHtml(request)) return next();
    let file: PortalFile | null;
    try {
      file = await files.find('index.html');
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      response.status(503).set(PAGE_HEADERS).type('html').send(withoutPages(error.message, basePath));
      return;
    }
    if (!file) return next();
    const page = (await file.read()).toString().replaceAll('="./', `="${basePath}`);
    response.set(PAGE_HEADERS).type('html').send(page);
  };
}

function withoutPages(reason: string, basePath: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Agent Runtime</title>
<h1>The portal’s pages are not available</h1><p>${escapeHtml(reason)}</p>
<p>The API works without them: see <a href="${escapeHtml(basePath)}docs/plain">its documentation</a>.</p></html>
`;
}
