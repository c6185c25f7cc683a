import { t } from '../language/index.ts';
import { KeyHelp } from '../ui/key-help.tsx';

const KEYS = [
  ['Ctrl+K', t('Search pages, dashboards, cards, metrics and alerts')],
  ['?', t('This help')],
  ['J / K', t('On an execution: the next one of the list, or the one before')],
  ['Ctrl+Enter', t('In a question: run it')],
  ['← → ↑ ↓', t('In a chart: go through its values; in an arranged dashboard: move a card')],
  ['Escape', t('Close a dialog or a menu')],
] as const;

/** The keys of all pages. A queue of reviews has its own. */
export default function PageKeys({ onClose }: { onClose(): void }) {
  return <KeyHelp keys={KEYS} onClose={onClose} />;
}
