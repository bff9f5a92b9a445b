const [a, b] = await Promise.all([
  tools.a({ id: 1, rows: [{ n: 1 }, { n: 2 }, { n: 3 }] }),
  tools.b({ factor: 2 }),
]);
console.log('rows', a.rows.length);
const total = a.rows
  .filter(({ n }) => n > 1)
  .map(({ n }) => n * b.factor)
  .reduce((sum, n) => sum + n, 0);
return { total };
