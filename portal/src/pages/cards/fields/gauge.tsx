import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { isGiven, newThreshold, type ThresholdRow } from '../state.ts';
import type { PartProps } from './context.ts';

const COLOURS = [
  { value: '', label: 'Any colour' },
  { value: 'green', label: 'Green' },
  { value: 'amber', label: 'Amber' },
  { value: 'red', label: 'Red' },
];

export function GaugePart({ members, messages, onChange }: PartProps) {
  const { thresholds } = members;
  const change = (row: ThresholdRow, changes: Partial<ThresholdRow>) =>
    onChange({ thresholds: thresholds.map((one) => (one === row ? { ...row, ...changes } : one)) });
  const sent = thresholds.filter(isGiven);
  return (
    <>
      <div className="three">
        {(['min', 'max', 'target'] as const).map((name) => (
          <TextField
            key={name}
            label={{ min: 'From', max: 'To', target: 'Target' }[name]}
            inputMode="decimal"
            placeholder={name === 'target' ? 'None' : undefined}
            value={members[name]}
            error={messages.at(`config.${name}`)}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <fieldset className="rows">
        <legend>Zones</legend>
        {messages.at('config.thresholds') && <p className="field-error">{messages.at('config.thresholds')}</p>}
        {thresholds.map((row, index) => {
          const path = `config.thresholds[${sent.indexOf(row)}]`;
          const name = `zone ${index + 1}`;
          const colours = COLOURS.some(({ value }) => value === row.color)
            ? COLOURS
            : [...COLOURS, { value: row.color, label: row.color }];
          return (
            <div key={row.id} className="zone-row">
              <TextField
                label={`Start of ${name}`}
                placeholder="Begins at"
                inputMode="decimal"
                value={row.value}
                error={messages.at(`${path}.value`)}
                onChange={(event) => change(row, { value: event.currentTarget.value })}
              />
              <TextField
                label={`Name of ${name}`}
                placeholder="Name"
                value={row.label}
                error={messages.at(`${path}.label`)}
                onChange={(event) => change(row, { label: event.currentTarget.value })}
              />
              <SelectField
                label={`Colour of ${name}`}
                value={row.color}
                options={colours}
                onChoose={(color) => change(row, { color })}
              />
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                onClick={() => onChange({ thresholds: thresholds.filter((one) => one !== row) })}
              />
            </div>
          );
        })}
        <Button look="quiet" icon="add" onClick={() => onChange({ thresholds: [...thresholds, newThreshold()] })}>
          Add zone
        </Button>
      </fieldset>
    </>
  );
}
