import { PropertyField } from '../../../question/property-field.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';

const MAX_COLUMNS = 100;

interface ColumnRowsProps {
  keys: readonly string[];
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(keys: string[]): void;
}

/** The columns of single events, by their keys. */
export function ColumnRows({ keys, eventName, agent, error, onChange }: ColumnRowsProps) {
  return (
    <fieldset className="rows">
      <legend>Columns</legend>
      {keys.length === 0 && <p className="field-help">All, unless you choose some.</p>}
      {error && <p className="field-error">{error}</p>}
      {keys.map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat while they are typed
        <div key={index} className="key-row">
          <PropertyField
            label={`Column ${index + 1}`}
            value={key}
            eventName={eventName}
            agent={agent}
            withFields
            onChange={(changed) => onChange(keys.with(index, changed))}
          />
          <IconButton
            icon="close"
            label={`Remove column ${index + 1}`}
            onClick={() => onChange(keys.toSpliced(index, 1))}
          />
        </div>
      ))}
      {keys.length < MAX_COLUMNS && (
        <Button look="quiet" icon="add" onClick={() => onChange([...keys, ''])}>
          Add column
        </Button>
      )}
    </fieldset>
  );
}
