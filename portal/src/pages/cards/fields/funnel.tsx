import { flushSync } from 'react-dom';
import { EventField, PropertyField } from '../../../question/fields/known-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/toast.tsx';
import { SECONDS } from '../config.ts';
import { newStep, rowMoved, type StepRow, type WindowUnit } from '../state.ts';
import { bindMembers, type PartProps } from './context.ts';

const MIN_STEPS = 2;
const MAX_STEPS = 10;

const UNITS = (Object.keys(SECONDS) as WindowUnit[]).map((unit) => ({ value: unit, label: unit }));

export function StepsPart({ members, agent, messages, onChange }: PartProps) {
  const { steps } = members;
  const change = (row: StepRow, changes: Partial<StepRow>) =>
    onChange({ steps: steps.map((one) => (one === row ? { ...row, ...changes } : one)) });
  const move = (row: StepRow, by: -1 | 1, button: HTMLElement) => {
    const next = rowMoved(steps, row, by);
    // Moving an element may take the focus from it.
    flushSync(() => onChange({ steps: next }));
    button.focus();
    announce(`Step ${next.indexOf(row) + 1} of ${next.length}`);
  };
  return (
    <ol className="rows" aria-label="Steps">
      {messages.at('config.steps') && <li className="field-error">{messages.at('config.steps')}</li>}
      {steps.map((row, index) => {
        const name = `step ${index + 1}`;
        const bound = { form: row, messages, onChange: (changes: Partial<StepRow>) => change(row, changes) };
        const field = bind(bound, `config.steps[${index}].`);
        return (
          <li key={row.id} className="step">
            <div className="step-head">
              <h3>Step {index + 1}</h3>
              <IconButton
                icon="up"
                label={`Move ${name} up`}
                aria-disabled={index === 0}
                onClick={(event) => index > 0 && move(row, -1, event.currentTarget)}
              />
              <IconButton
                icon="down"
                label={`Move ${name} down`}
                aria-disabled={index === steps.length - 1}
                onClick={(event) => index < steps.length - 1 && move(row, 1, event.currentTarget)}
              />
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                disabled={steps.length <= MIN_STEPS}
                onClick={() => onChange({ steps: steps.filter((one) => one !== row) })}
              />
            </div>
            <div className="pair">
              <EventField label={`Event of ${name}`} agent={agent} {...field.value('eventName')} />
              <TextField
                label={`Name of ${name}`}
                placeholder={row.eventName || 'As the event'}
                {...field.text('label')}
              />
            </div>
            <FilterRows of={name} {...field.part('filters')} eventName={row.eventName} agent={agent} />
          </li>
        );
      })}
      <li>
        <Button
          icon="add"
          disabled={steps.length >= MAX_STEPS}
          onClick={() => onChange({ steps: [...steps, newStep()] })}
        >
          Add step
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
        label="What goes through the steps"
        help="threadId, executionId or a property such as a customer’s id. Without one: threadId."
        {...bindMembers(props).value('by')}
        eventName={steps[0]?.eventName ?? ''}
        agent={agent}
        withFields
      />
      <div className="pair">
        <TextField
          label="Time from first to last step"
          inputMode="numeric"
          placeholder="14"
          value={window.amount}
          error={messages.at('config.windowSeconds')}
          onChange={(event) => onChange({ window: { ...window, amount: event.currentTarget.value } })}
        />
        <SelectField
          label="Unit"
          value={window.unit}
          options={UNITS}
          onChoose={(unit) => onChange({ window: { ...window, unit } })}
        />
      </div>
    </>
  );
}
