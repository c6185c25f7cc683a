import { oneLine } from '../core/base/shared/text.ts';
import type { Message } from '../core/watch/deliveries/message.ts';
import type { SendOutcome } from '../core/watch/deliveries/sender.ts';
import type { Target } from '../core/watch/deliveries/targets.ts';
import { type PostContext, post } from './post.ts';

type SlackTarget = Extract<Target, { type: 'slack' }>;

/** Characters; Discord refuses more. */
const MAX_TEXT = 2_000;
const MORE = '\n…';

/**
 * As Slack, Mattermost, Rocket.Chat and Discord (`/slack`) take it: only `text` is understood by
 * all.
 */
export function sendSlack({ url }: SlackTarget, message: Message, context: PostContext): Promise<SendOutcome> {
  return post(url, { headers: [], body: JSON.stringify({ text: slackText(message) }) }, context);
}

export function slackText({ title, text }: Pick<Message, 'title' | 'text'>): string {
  const all = escaped(`*${oneLine(title).replaceAll('*', '∗')}*\n${text}`.trim().toWellFormed());
  if (all.length <= MAX_TEXT) return all;
  const cut = all.slice(0, MAX_TEXT - MORE.length);
  // Not within an escape.
  return cut.replace(/&[a-z]*$/, '').toWellFormed() + MORE;
}

/** Values of events may be in it: they mention nobody and link nowhere. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=everyone|here|channel|all\b)/gi, '@\u200b');
}
