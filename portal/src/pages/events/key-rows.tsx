import { PropertyField } from '../../question/property-field.tsx';
import { Button, IconButton } from '../../ui/button.tsx';

interface KeyRowsProps {
  /** "Columns" */
  label: string;
  /** "column" */
  one: string;
  keys: readonly string[];
  maximum: number;
  help?: string;
  eventName: string;
  agent: string | undefined;
  error?: string | undefined;
  onChange(keys: string[]): void;
}

/** Several property keys, one in a row. */
export function KeyRows({ label, one, keys, maximum, help, eventName, agent, error, onChange }: KeyRowsProps) {
  return (
    <fieldset className="rows">
      <legend className="label">{label}</legend>
      {help && keys.length === 0 && <p className="field-help">{help}</p>}
      {error && <p className="field-error">{error}</p>}
      {keys.map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat while they are typed
        <div key={index} className="key-row">
          <PropertyField
            label={`${one.charAt(0).toUpperCase()}${one.slice(1)} ${index + 1}`}
            value={key}
            eventName={eventName}
            agent={agent}
            withFields
            onChange={(changed) => onChange(keys.with(index, changed))}
          />
          <IconButton
            icon="close"
            label={`Remove ${one} ${index + 1}`}
            onClick={() => onChange(keys.toSpliced(index, 1))}
          />
        </div>
      ))}
      {keys.length < maximum && (
        <Button look="quiet" icon="add" onClick={() => onChange([...keys, ''])}>
          Add {one}
        </Button>
      )}
    </fieldset>
  );
}
