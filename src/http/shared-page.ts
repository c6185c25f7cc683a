import type { Express } from 'express';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Services } from '../core/services.ts';
import type { PortalFiles } from '../portal/files.ts';
import { addressOf } from './address.ts';
import { HttpError } from './errors.ts';
import { methodNotAllowed } from './pipeline.ts';
import { PAGE_HEADERS, pagePolicy } from './portal.ts';

export const SHARED = '/shared';

/** The address is a secret: no other site gets or indexes it, and no cache stores its answers. */
export const SHARED_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  vary: '*',
};

export function frameAncestors(origins: readonly string[]): string {
  return `frame-ancestors ${origins.join(' ') || "'none'"}`;
}

interface SharedPageParts {
  services: Pick<Services, 'sharedTabs' | 'dashboardLinks'>;
  files: Pick<PortalFiles, 'find'>;
  /** The path of the public address, with a slash at its end. */
  basePath: string;
}

/**
 * The page of a link is a document of its own, which leads to no page of the portal: other sites
 * may frame it.
 */
export function mountSharedPage(app: Express, { services, files, basePath }: SharedPageParts): void {
  const { sharedTabs, dashboardLinks } = services;
  const path = `${SHARED}/:secret`;
  app.get(path, async (request, response) => {
    response.set(SHARED_HEADERS);
    const isOpen = await sharedTabs.check(request.params.secret, { address: addressOf(request) }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RuntimeError && error.code === 'gone') return false;
        throw error;
      },
    );
    const file = await files.find('shared.html');
    if (!file) throw new HttpError(404, 'The page is not available.');
    const page = (await file.read()).toString().replaceAll('="./', `="${basePath}`);
    response.removeHeader('x-frame-options');
    response
      .status(isOpen ? 200 : 410)
      .set({ ...PAGE_HEADERS, 'content-security-policy': pagePolicy(frameAncestors(dashboardLinks.frameOrigins)) })
      .set(SHARED_HEADERS)
      .type('html')
      .send(page);
  });
  app.route(path).all(methodNotAllowed(['GET']));
  // Without the path, which may hold a secret.
  app.all(`${SHARED}/*path`, () => {
    throw new HttpError(404, 'There is nothing at this address.');
  });
}
