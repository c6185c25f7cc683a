import { type ComponentProps, useEffect, useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import { Form, TextField, typing } from './field.tsx';

interface AskedFieldProps extends Partial<ComponentProps<typeof TextField>> {
  label: string;
  /** The question that was asked last. */
  value: string;
  /** Undefined for an empty field. */
  onAsk(text: string | undefined): void;
}

/** A filter that is found as a whole: Enter asks, and leaving the field does. */
export function AskedField({ value, onAsk, ...rest }: AskedFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const ask = () => {
    if (text.trim() !== value) onAsk(text.trim() || undefined);
  };
  return (
    <Form className="" onSubmit={ask}>
      <TextField {...rest} {...typing(text, setText)} onBlur={ask} />
    </Form>
  );
}

/** Removes the filters of the `search` around it. */
export function ClearFilters({ onClear }: { onClear(): void }) {
  const clear = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The button goes away with the filters.
    currentTarget.closest('search')?.querySelector<HTMLElement>('input, select')?.focus();
    onClear();
  };
  return <Button onClick={clear}>{t('Clear filters')}</Button>;
}
