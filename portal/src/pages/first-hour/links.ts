import { t } from '../../language/index.ts';
import { formOf, questionOf } from '../explore/kpi/state.ts';

/** Where a question is answered in the portal: the one place that knows the page's address. */
export function questionLink(question: object) {
  const text = JSON.stringify(questionOf(formOf(JSON.stringify(question))));
  return { to: '/explore', search: { view: 'kpi', question: text } } as const;
}

/** To be pasted into the chat of an MCP client. */
export function promptOf(text: string): string {
  return `${text} ${t('Ask the agent-runtime MCP server.')}`;
}
