import type { EditorPartProps } from '../../../editor/editor-page.tsx';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { LIMITS } from '../words.ts';
import type { AlertForm } from './state.ts';

const TYPES = [
  { value: 'threshold', label: 'The value is beyond a limit' },
  { value: 'change', label: 'It changed against the period before' },
  { value: 'anomaly', label: 'It is unusual' },
  { value: 'no_data', label: 'No event was counted' },
] as const;

const HELP = {
  threshold: undefined,
  change: undefined,
  anomaly: 'It is compared with the median of the same times in earlier weeks. Months are too few for that.',
  no_data: 'For events that should never stop.',
} as const;

/** The fields of the condition. */
export function ConditionPart({ form: { condition }, messages, onChange }: EditorPartProps<AlertForm>) {
  const { type, percent } = condition;
  const change = (members: Partial<AlertForm['condition']>) => onChange({ condition: { ...condition, ...members } });
  const field = bind({ form: condition, messages, onChange: change }, 'condition.');
  const error = [messages.at('condition'), messages.at('condition.type')].filter(Boolean).join('. ') || undefined;
  const operatorField = (
    <SelectField
      label={type === 'change' ? 'The change is' : 'The value is'}
      {...field.choice('operator')}
      options={LIMITS}
    />
  );
  return (
    <section className="panel padded stack" aria-labelledby="condition">
      <h2 id="condition">When it alerts</h2>
      <SelectField
        label="Condition"
        help={HELP[type]}
        value={type}
        options={TYPES}
        error={error}
        onChoose={(chosen) => change({ type: chosen })}
      />
      {type === 'threshold' && (
        <div className="fields">
          {operatorField}
          <TextField label="Limit" help="A rate of 25% is 0.25." inputMode="decimal" {...field.text('value')} />
          <TextField label="Ends at" help="If empty, the limit." inputMode="decimal" {...field.text('clear')} />
        </div>
      )}
      {type === 'change' && (
        <div className="fields">
          {operatorField}
          <TextField
            label="Percent"
            help="−20 is a fall by a fifth, 50 a rise by half."
            inputMode="decimal"
            value={percent}
            error={messages.at('condition.ratio')}
            onChange={(event) => change({ percent: event.currentTarget.value })}
          />
        </div>
      )}
    </section>
  );
}
