import type { ReactNode } from 'react';

interface FiguresProps {
  className?: string;
  figures: readonly [label: string, value: string, aside: ReactNode][];
}

/** A few large numbers beside each other, each with its name and a remark. */
export function Figures({ className = '', figures }: FiguresProps) {
  return (
    <dl className={`figures ${className}`}>
      {figures.map(([label, value, aside]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <strong>{value}</strong>
            <span className="small muted">{aside}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
