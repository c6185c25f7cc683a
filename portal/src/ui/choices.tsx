import { useId } from 'react';

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** A sentence below the label. */
  help?: string;
  /** Why it may not be chosen. */
  reason?: string | undefined;
}

interface ChoicesProps<Value extends string> {
  legend: string;
  value: Value;
  choices: readonly Choice<Value>[];
  error?: string | undefined;
  onChoose(value: Value): void;
}

/** Radio buttons whose choices say in words what they mean. The keyboard reaches one that may not be chosen, too. */
export function Choices<Value extends string>({ legend, value, choices, error, onChoose }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <fieldset className="choices" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      {choices.map((choice) => {
        const { label, help, reason } = choice;
        return (
          <label key={choice.value} className="choice">
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              aria-disabled={reason !== undefined}
              onChange={() => reason === undefined && onChoose(choice.value)}
            />
            <span className="item-text">
              <span className={reason && 'muted'}>{label}</span>
              {help && <span className="field-help">{help}</span>}
              {reason && <span className="field-help">{reason}</span>}
            </span>
          </label>
        );
      })}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
