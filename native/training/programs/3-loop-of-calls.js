let sum = 0;
for (let value = 1; value <= 10; value++) sum += (await tools.a({ value })).value;
const users = await tools.b({
  users: [
    { name: 'Ada', tags: ['x', 'y'], age: 36 },
    { name: 'Grace', tags: [], age: 85 },
  ],
});
const names = [];
for (const {
  name,
  age,
  tags: [first = 'none'],
} of users.users) {
  if (age > 40 && name?.length) names.push(`${name.toUpperCase()}: ${first}`);
  else names.push(name + ' ' + age.toFixed(1));
}
try {
  JSON.parse('{"a": [1, 2.5, true, null, "\\u00e9"');
} catch (error) {
  console.warn('not JSON:', error.message, error instanceof SyntaxError);
}
return { sum, names, sorted: [...names].sort(), text: JSON.stringify(users), ...{ done: true } };
