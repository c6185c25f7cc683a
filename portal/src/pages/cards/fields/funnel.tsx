import { flushSync } from 'react-dom';
import { t } from '../../../language/index.ts';
import { EventField, PropertyField } from '../../../question/fields/known-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/toast.tsx';
import { newStep, rowMoved, type StepRow, type WindowUnit } from '../state.ts';
import { bindMembers, type PartProps } from './context.ts';

const MIN_STEPS = 2;
const MAX_STEPS = 10;

const UNITS: readonly { value: WindowUnit; label: string }[] = [
  { value: 'seconds', label: t('seconds') },
  { value: 'minutes', label: t('minutes') },
  { value: 'hours', label: t('hours') },
  { value: 'days', label: t('days') },
];

export function StepsPart({ members, agent, messages, onChange }: PartProps) {
  const { steps } = members;
  const change = (row: StepRow, changes: Partial<StepRow>) =>
    onChange({ steps: steps.map((one) => (one === row ? { ...row, ...changes } : one)) });
  const move = (row: StepRow, by: -1 | 1, button: HTMLElement) => {
    const next = rowMoved(steps, row, by);
    // Moving an element may take the focus from it.
    flushSync(() => onChange({ steps: next }));
    button.focus();
    announce(t('Step {number} of {total}', { number: next.indexOf(row) + 1, total: next.length }));
  };
  return (
    <ol className="rows" aria-label={t('Steps')}>
      {messages.at('config.steps') && <li className="field-error">{messages.at('config.steps')}</li>}
      {steps.map((row, index) => {
        const step = { number: index + 1 };
        const bound = { form: row, messages, onChange: (changes: Partial<StepRow>) => change(row, changes) };
        const field = bind(bound, `config.steps[${index}].`);
        return (
          <li key={row.id} className="step">
            <div className="step-head">
              <h3>{t('Step {number}', step)}</h3>
              <IconButton
                icon="up"
                label={t('Move step {number} up', step)}
                aria-disabled={index === 0}
                onClick={(event) => index > 0 && move(row, -1, event.currentTarget)}
              />
              <IconButton
                icon="down"
                label={t('Move step {number} down', step)}
                aria-disabled={index === steps.length - 1}
                onClick={(event) => index < steps.length - 1 && move(row, 1, event.currentTarget)}
              />
              <IconButton
                icon="close"
                label={t('Remove step {number}', step)}
                disabled={steps.length <= MIN_STEPS}
                onClick={() => onChange({ steps: steps.filter((one) => one !== row) })}
              />
            </div>
            <div className="pair">
              <EventField label={t('Event of step {number}', step)} agent={agent} {...field.value('eventName')} />
              <TextField
                label={t('Name of step {number}', step)}
                placeholder={row.eventName || t('As the event')}
                {...field.text('label')}
              />
            </div>
            <FilterRows
              of={t('step {number}', step)}
              {...field.part('filters')}
              eventName={row.eventName}
              agent={agent}
            />
          </li>
        );
      })}
      <li>
        <Button
          icon="add"
          disabled={steps.length >= MAX_STEPS}
          onClick={() => onChange({ steps: [...steps, newStep()] })}
        >
          {t('Add step')}
        </Button>
      </li>
    </ol>
  );
}

export function FunnelPart(props: PartProps) {
  const { agent, messages, onChange } = props;
  const { window, steps } = props.members;
  return (
    <>
      <PropertyField
        label={t('What goes through the steps')}
        help={t('threadId, executionId or a property such as a customer’s id. Without one: threadId.')}
        {...bindMembers(props).value('by')}
        eventName={steps[0]?.eventName ?? ''}
        agent={agent}
        withFields
      />
      <div className="pair">
        <TextField
          label={t('Time from first to last step')}
          inputMode="numeric"
          placeholder="14"
          value={window.amount}
          error={messages.at('config.windowSeconds')}
          onChange={(event) => onChange({ window: { ...window, amount: event.currentTarget.value } })}
        />
        <SelectField
          label={t('Unit')}
          value={window.unit}
          options={UNITS}
          onChoose={(unit) => onChange({ window: { ...window, unit } })}
        />
      </div>
    </>
  );
}
