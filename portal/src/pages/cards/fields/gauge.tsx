import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { isGiven, newThreshold, type ThresholdRow } from '../state.ts';
import { bindMembers, type PartProps } from './context.ts';

const COLOURS = [
  { value: '', label: 'Any colour' },
  { value: 'green', label: 'Green' },
  { value: 'amber', label: 'Amber' },
  { value: 'red', label: 'Red' },
];

export function GaugePart(props: PartProps) {
  const { messages, onChange } = props;
  const { thresholds } = props.members;
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
            {...bindMembers(props).text(name)}
          />
        ))}
      </div>
      <fieldset className="rows">
        <legend>Zones</legend>
        {messages.at('config.thresholds') && <p className="field-error">{messages.at('config.thresholds')}</p>}
        {thresholds.map((row, index) => {
          const path = `config.thresholds[${sent.indexOf(row)}]`;
          const name = `zone ${index + 1}`;
          const field = bind({ form: row, messages, onChange: (changes) => change(row, changes) }, `${path}.`);
          const colours = COLOURS.some(({ value }) => value === row.color)
            ? COLOURS
            : [...COLOURS, { value: row.color, label: row.color }];
          return (
            <div key={row.id} className="zone-row">
              <TextField
                label={`Start of ${name}`}
                placeholder="Begins at"
                inputMode="decimal"
                {...field.text('value')}
              />
              <TextField label={`Name of ${name}`} placeholder="Name" {...field.text('label')} />
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
