"""Statistics of a trusted file: what is asked, how far one respondent moves it, and its noise."""
