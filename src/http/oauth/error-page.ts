import { escapeHtml } from '../send-file.ts';

/** The page for a request that cannot be sent back to the application. */
export const errorPage = {
  headers: {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'no-store',
  },
  html: (reason: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Connection refused · Agent Runtime</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}</style></head>
<body><main><h1>The application was not connected</h1><p>Its request was not accepted: ${escapeHtml(reason)}</p>
<p>Close this page and start again in the application. If that does not help, ask the administrator of this server.</p>
</main></body></html>
`,
};

interface PageContext {
  type: string;
  body: unknown;
  set(name: string, value: string): void;
}

export function sendErrorPage(context: PageContext, reason: string): void {
  for (const [name, value] of Object.entries(errorPage.headers)) context.set(name, value);
  context.body = errorPage.html(reason);
  context.type = 'html';
}
