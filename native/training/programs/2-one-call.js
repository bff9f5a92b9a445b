return (await tools.a({ value: 21 })).value;
