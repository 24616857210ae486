// Indented with tabs, some of them behind blanks: columns are counted in bytes.
int	sum(const int	*values,	int count)
{
	int	sum = 0;
	for	(int i = 0;	i < count;	++i)	// hint
		sum += values[i];
	return	sum;
}

void	scale(float	*values, int count, float by)
{
  	int	i = 0;
	  while	(i < count)	{	// hint
		values[i]	*=	by;
	 	++i;
	}
}
