// A message from a React component: `npm install postrider react react-dom @react-email/render`.

import { render, toPlainText } from '@react-email/render';
import { createPostrider } from 'postrider';

function Receipt({ name, total }: { name: string; total: string }) {
  return (
    <html lang="en">
      <body>
        <h1>Thank you, {name}</h1>
        <p>
          We received your payment of <b>{total}</b>.
        </p>
      </body>
    </html>
  );
}

const html = await render(<Receipt name="Ann" total="€ 12.50" />);
const postrider = createPostrider();
const sent = await postrider.sendMessage({
  body: {
    from: `Shop <orders@${process.env['POSTRIDER_DOMAIN']}>`,
    to: 'delivered@simulator.test',
    subject: 'Your receipt',
    html,
    text: toPlainText(html),
  },
});
console.log(sent.id);
