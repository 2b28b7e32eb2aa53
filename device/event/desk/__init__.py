"""The organiser's desk: takes signed results in, shows which tables are outstanding, keeps rulings.

================ =========================================================================
module           what it holds
================ =========================================================================
``rows``         the rows that the desk keeps, and how it stands with a table
``store``        the database
================ =========================================================================

It needs the extra ``podesta[desk]``, and nothing of the box imports it.
"""
