import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { t } from '../language/index.ts';

export interface Command {
  label: string;
  /** Shown at the side: "Settings", "Card". */
  kind: string;
  /** Other words that find it. */
  words: string;
  /** Unique: two commands may have the same label. */
  id: string;
  run(): void;
}

/** A field that filters a list of commands. Arrow keys choose, Enter runs. */
export function CommandList({ label, commands }: { label: string; commands: readonly Command[] }) {
  return (
    <Base.Root
      inline
      open
      autoHighlight="always"
      items={[...commands]}
      itemToStringValue={(command: Command) => `${command.label} ${command.kind} ${command.words}`}
    >
      <Base.Input
        className="input"
        aria-label={label}
        autoFocus
        placeholder={t('Type a page, a card, a metric, an alert or an action')}
      />
      <Base.Empty>
        <p className="muted small option">{t('No results.')}</p>
      </Base.Empty>
      <Base.List className="commands" aria-label={t('Results')}>
        {(command: Command) => (
          <Base.Item key={command.id} value={command} className="option" onClick={command.run}>
            {command.label}
            <span className="aside">{command.kind}</span>
          </Base.Item>
        )}
      </Base.List>
    </Base.Root>
  );
}
