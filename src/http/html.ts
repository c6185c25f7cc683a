import type { Request } from 'express';

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * True if Accept names HTML and does not refuse it: programs usually accept anything, and get no
 * page.
 */
export function wantsHtml(request: Request): boolean {
  return request.accepts().some((type) => ['text/html', 'text/*'].includes(type));
}
