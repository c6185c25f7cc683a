import { type ReactNode, useId, useState } from 'react';
import { t } from '../../language/index.ts';
import { Icon } from '../../ui/icon.tsx';

interface StepItemProps {
  number: number;
  title: string;
  /** Says what has happened, once it is done. */
  done: string | null;
  at: ReactNode;
  isOpen: boolean;
  onToggle(): void;
  children: ReactNode;
}

/** A step that folds. What it shows is made when it opens first, and stays. */
export function StepItem({ number, title, done, at, isOpen, onToggle, children }: StepItemProps) {
  const id = useId();
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <li className={done === null ? 'hour-step' : 'hour-step done'}>
      <h3>
        <button type="button" className="hour-head" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span className="hour-number" aria-hidden="true">
            {done === null ? number : <Icon name="check" />}
          </span>
          <span className="grow">
            {title}
            {done !== null && <span className="visually-hidden">, {t('done|a step')}</span>}
          </span>
          <Icon name={isOpen ? 'up' : 'down'} />
        </button>
      </h3>
      {done !== null && (
        <p className="hour-words muted small">
          {done} · {at}
        </p>
      )}
      <div id={id} className="hour-body" hidden={!isOpen}>
        {wasOpen && children}
      </div>
    </li>
  );
}
