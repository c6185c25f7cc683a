import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Express, Request, RequestHandler } from 'express';
import { isSecureAddress } from '../../core/access/oauth/addresses.ts';
import { ABOUT, PROGRAM } from '../../core/base/shared/program.ts';
import { baseUrlOf } from '../address.ts';
import { methodNotAllowed } from '../pipeline.ts';

/*
 * How programs find the MCP endpoint: a Server Card (SEP-2127), and the AI Catalog that leads to
 * it. Both are public, and equal for everyone: they name no tools, no tenants and no version of
 * anything but this program.
 */

const CARD = '/mcp/server-card';
const CATALOG = '/.well-known/ai-catalog.json';
const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';

/** Protocol versions with Streamable HTTP. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

/** Headers that the extension requires: web pages of any origin may read what is public. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
  'cache-control': 'public, max-age=3600',
};

/**
 * Before `allowOrigins`, which allows some origins only. `publicUrl` is the server's address; by
 * default that of the request.
 */
export function mountServerCard(app: Express, publicUrl: string | undefined): void {
  const urlOf = (request: Request) => baseUrlOf(request, publicUrl).slice(0, -1);
  app.get(
    CARD,
    sendPublic(CARD_TYPE, (request) => serverCard(urlOf(request))),
  );
  app.get(
    CATALOG,
    sendPublic(CATALOG_TYPE, (request) => aiCatalog(urlOf(request))),
  );
  app.options([CARD, CATALOG], (_request, response) => response.set(HEADERS).status(204).end());
  app.all([CARD, CATALOG], methodNotAllowed(['GET']));
}

function sendPublic(type: string, documentFor: (request: Request) => object): RequestHandler {
  return (request, response) => {
    const bytes = Buffer.from(JSON.stringify(documentFor(request), null, 2));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    // Express answers 304 when the client has this version.
    response
      .set({ ...HEADERS, etag })
      .type(type)
      .send(bytes);
  };
}

function serverCard(url: string) {
  const takesLogin = isSecureAddress(url);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${publisherOf(url).split('.').reverse().join('.')}/${PROGRAM.name}`,
    version: PROGRAM.version,
    title: ABOUT.title,
    description: ABOUT.description,
    remotes: [
      {
        type: 'streamable-http',
        url: `${url}/mcp`,
        headers: [
          {
            name: 'x-api-key',
            description: takesLogin
              ? 'A key of this server with the scope mcp:read, which begins with ar_; without one, log in by OAuth.'
              : 'A key of this server with the scope mcp:read. It begins with ar_.',
            isRequired: !takesLogin,
            isSecret: true,
          },
        ],
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    ],
  };
}

function aiCatalog(url: string) {
  const identifier = `urn:air:${publisherOf(url)}:mcp:${PROGRAM.name}`;
  return { specVersion: '1.0', entries: [{ identifier, type: CARD_TYPE, url: url + CARD }] };
}

/** The domain of the address. An IP address is none. */
function publisherOf(url: string): string {
  const { hostname } = new URL(url);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}
