export const DEMO_FAQ = `# Help for customers

## Refunds

### Who gets a refund?

Anybody who asks within 30 days of the purchase. After that we refund what you have paid in advance for whole months.

### How long does a refund take?

Up to five working days after we have approved it. While our payment provider has an outage it takes longer; you need not
ask again.

## Billing

Invoices are issued on the first day of each month, and are in your account under Billing. A payment that fails is tried
again after three days.

## Login

A link to set a new password is sent to your e-mail address and works for one hour. If nothing arrives, look into the spam
folder, then write to us.

## Shipping

Card readers are shipped within two working days. Within Brazil they arrive in three to eight days, elsewhere in up to
three weeks; the tracking number is in the e-mail that confirms the order.

## Plans

Free has one user, Pro up to ten, Enterprise as many as you like, with an account manager. You may change at any time; the
difference is settled with the next invoice.
`;
