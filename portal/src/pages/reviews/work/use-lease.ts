import { useEffect, useEffectEvent, useState } from 'react';

const TICK_MS = 5_000;
/** Whoever works renews a lease that ends within so long. */
const RENEW_MS = 300_000;
/** A renewal is tried again no sooner. */
const PAUSE_MS = 30_000;

/** The time, every few seconds. While somebody works, `renew` is called before the lease ends. */
export function useLease(end: number | null, renew: () => void): number {
  const [now, setNow] = useState(() => Date.now());
  const [tried, setTried] = useState(0);
  const work = useEffectEvent(() => {
    const at = Date.now();
    if (end === null || end - at > RENEW_MS || end <= at || at - tried < PAUSE_MS) return;
    setTried(at);
    renew();
  });
  useEffect(() => {
    const listener = () => work();
    const signs = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const;
    for (const sign of signs) document.addEventListener(sign, listener, { passive: true });
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => {
      for (const sign of signs) document.removeEventListener(sign, listener);
      clearInterval(timer);
    };
  }, []);
  return now;
}
